import type { Fault } from '#stand-ins/kit/server.ts'
import type { SentReply } from '#stand-ins/card-network/company.ts'
import type { deskOf } from '#stand-ins/card-network/desk.ts'
import type { Transaction } from '#stand-ins/card-network/model.ts'
import type { AuthorizationDecision, Issuer, IssuerNotice, RawRequest } from '../vendors/port.ts'

/** The platform's answer to a notice; `notice` is undefined for an invalid signature. */
export type Hear = (notice: IssuerNotice | undefined, raw: RawRequest) => Promise<AuthorizationDecision | undefined> | AuthorizationDecision | undefined

/** An issuer with the stand-in of its company; one suite runs against all of them. */
export interface Played {
  readonly issuer: Issuer
  /** Controls of merchants, schemes and time. */
  readonly bank: ReturnType<typeof deskOf>
  /** Sets the receiver of notices. */
  hear(hear: Hear): void
  /** Every notice sent, as raw requests. */
  readonly sent: readonly RawRequest[]
  /** Copies of the notice, each with one flaw in its signature. */
  forgeries(raw: RawRequest): Readonly<Record<string, RawRequest>>
  /** Makes the next calls fail. */
  misbehave(fault: Fault): void
  behave(): void
  /** The port's reference of a transaction at the bank. */
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

interface InProcess {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly sent: RawRequest[]
  readonly hear: Hear
}

/** Hands a message of a stand-in to the adapter as raw bytes with its headers, and the adapter's answer back. */
export async function answerInProcess(issuer: Issuer, { headers, body, sent, hear }: InProcess): Promise<SentReply> {
  const raw: RawRequest = { params: {}, query: {}, headers, body: Buffer.from(body), ip: '', requestId: '' }
  sent.push(raw)
  const notice = issuer.readNotice(raw)
  const decision = await hear(notice, raw)
  if (notice?.kind !== 'decide') return { status: notice ? 200 : 400, body: 'ok' }
  if (!decision) return { status: 500, body: '' }
  const answer = issuer.answer(decision)
  return { status: answer.status, body: String(answer.body), headers: { 'content-type': answer.type, ...answer.headers } }
}
