import type { Fault } from '#platform/testing/fake-company.ts'
import type { Decision, Issuer, IssuerNotice, RawRequest } from '../../port.ts'
import type { Transaction } from '../issuer/model.ts'
import type { deskOf } from './index.ts'

/** What the platform answers to a notice; undefined: a signature that does not hold. */
export type Hear = (notice: IssuerNotice | undefined, raw: RawRequest) => Promise<Decision | undefined> | Decision | undefined

/** One issuer with everything that stands behind it: the same suite plays all of them. */
export interface Played {
  readonly issuer: Issuer
  /** Merchants, schemes and time behind it. */
  readonly bank: ReturnType<typeof deskOf>
  /** Who takes notices from now on. */
  hear(hear: Hear): void
  /** Every notice that was sent, as it came. */
  readonly sent: readonly RawRequest[]
  /** The same notice, each time with one thing wrong about its signature. */
  forgeries(raw: RawRequest): Readonly<Record<string, RawRequest>>
  /** The next calls go wrong. */
  misbehave(fault: Fault): void
  behave(): void
  /** How the port names a transaction of the bank's. */
  refOf(made: Transaction): string
  /** Everything that was asked for at the vendor, as sent: nothing asks for a number. */
  asked(): readonly string[]
  close(): Promise<void>
}

/** Forgeries that every form of signature must refuse: the bytes are not those that were signed. */
export function changedBodies(raw: RawRequest): Record<string, RawRequest> {
  const text = raw.body.toString('utf8')
  const body = (changed: string | Buffer): RawRequest => ({ ...raw, body: Buffer.from(changed as string) })
  return {
    'a digit changed': body(text.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 1) % 10))),
    'cut': body(raw.body.subarray(0, -1)),
    'a space more': body(`${text} `),
    'written anew': body(JSON.stringify(JSON.parse(text), null, 1)),
    'a byte order mark': body(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), raw.body])),
    'empty': body(''),
    'another charset': body(Buffer.from(text, 'utf16le')),
    'said to be packed': { ...raw, headers: { ...raw.headers, 'content-encoding': 'gzip' } },
    'no headers': { ...raw, headers: {} },
  }
}
