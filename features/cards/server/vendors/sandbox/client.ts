import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  IssuerAddress as PostalAddress,
  CardCall,
  DisputeCall,
  HolderCall,
  IssuerTools,
  IssuerTransaction,
  LoadCall,
  LoadFact,
  OpenReason,
  RevealCall,
  RevealFrame,
} from '../port.ts'
import { IssuerRefusal } from '../port.ts'
import { failedReplyError, lostCallError } from '#platform/shared/suppliers/supplier-error.ts'
import * as wire from './wire.ts'

const DEADLINE_MS = 10_000
export const TOKEN = 'cards.sandbox-issuer.token'
export const NOTICE_KEY = 'cards.sandbox-issuer.notices'

/** Addresses of the company: for the server, and for a browser that reaches the platform at an origin. */
export interface Address {
  readonly base: () => Promise<string>
  readonly pages: (origin: string) => Promise<string>
}

const FIELD_REASONS: readonly (readonly [field: string, reason: OpenReason])[] = [
  ['address', 'address'],
  ['phone', 'phone'],
  ['Name', 'name'],
]

/** A malformed call names the field that is wrong. */
const reasonOf = ({ field = '' }: { field?: string | undefined }): OpenReason | undefined => FIELD_REASONS.find(([part]) => field.includes(part))?.[1]

/** How the company is asked: a refusal is thrown as one, everything that leaves the outcome open as another error. */
function callsTo(address: Address, tools: IssuerTools) {
  async function send(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<{ status: number; value: unknown }> {
    const writes = method === 'POST'
    const asked = await tools
      .fetch(`${await address.base()}${path}`, {
        method,
        headers: {
          'authorization': `Bearer ${tools.secrets(TOKEN)[0].toString('base64url')}`,
          'notice-url': tools.noticeUrl(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one)) }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      })
      .catch((error: unknown) => {
        throw lostCallError(error, { writes, timedOut: (error as Error).name === 'TimeoutError' })
      })
    const { status } = asked
    const value: unknown = await asked.json().catch(() => undefined)
    const refusal = wire.refusalReply.safeParse(value)
    // 401 says nothing about the call: our key is wrong
    if (refusal.success && status >= 400 && status < 500 && status !== 401 && status !== 404) {
      throw new IssuerRefusal(refusal.data.refused, reasonOf(refusal.data))
    }
    if (refusal.success && status === 404) return { status: 404, value: refusal.data.refused }
    if (status !== 200) throw failedReplyError({ status, writes })
    return { status: 200, value }
  }
  const change = async <T>(shape: z.ZodType<T>, path: string, body: unknown, key: string): Promise<T> => {
    const { status, value } = await send('POST', path, body, key)
    if (status === 404) throw new IssuerRefusal(String(value))
    return shape.parse(value)
  }
  const find = async <T>(shape: z.ZodType<T>, path: string): Promise<T | undefined> => {
    const { status, value } = await send('GET', path)
    return status === 404 ? undefined : shape.parse(value)
  }
  const get = async <T>(shape: z.ZodType<T>, path: string): Promise<T> => {
    const found = await find(shape, path)
    if (!found) throw new IssuerRefusal('not_found')
    return found
  }
  return { change, find, get }
}

/** An empty line is left out: the company takes no empty text. */
function sent({ line2, ...address }: PostalAddress) {
  return { ...address, ...(line2 ? { line2 } : {}) }
}

const bodyOf = ({ address, billing, ...holder }: Omit<HolderCall, 'key'>) => ({
  ...holder,
  address: sent(address),
  ...(billing ? { billing: sent(billing) } : {}),
})

/** By the bank's limits. */
function refuses({ key: _, ...holder }: HolderCall): OpenReason | undefined {
  const read = wire.holderCall.safeParse(bodyOf(holder))
  return read.success ? undefined : (reasonOf({ field: read.error.issues[0]!.path.join('.') }) ?? 'other')
}

/** Our side of the company's interface. */
export function clientOf(address: Address, tools: IssuerTools) {
  const { change, find, get } = callsTo(address, tools)
  const part = encodeURIComponent
  return {
    refuses,
    setBilling: async (ref: string, billing: PostalAddress, key: string): Promise<PostalAddress> =>
      (await change(wire.cardReply, `/v1/cards/${part(ref)}/billing`, { billing: sent(billing) }, key)).billing,
    createHolder: async ({ key, ...holder }: HolderCall) => ({ holderRef: (await change(wire.holderReply, '/v1/holders', bodyOf(holder), key)).ref }),
    createCard: ({ key, holderRef, type, months, monthlyCeiling, replaces }: CardCall) =>
      change(
        wire.cardReply,
        '/v1/cards',
        {
          holder: holderRef,
          type,
          months,
          ceiling: monthlyCeiling,
          ...(replaces ? { replaces: { card: replaces.cardRef, why: replaces.why } } : {}),
        },
        key,
      ),
    cardByKey: (key: string) => find(wire.cardReply, `/v1/cards?key=${part(key)}`),
    card: (ref: string) => get(wire.cardReply, `/v1/cards/${part(ref)}`),
    setCardState: (ref: string, state: 'active' | 'frozen' | 'closed', key: string) => change(wire.cardReply, `/v1/cards/${part(ref)}/state`, { state }, key),
    load: ({ key, cardRef, minor, direction }: LoadCall): Promise<LoadFact> =>
      change(wire.loadReply, '/v1/loads', { card: cardRef, minor, direction }, key).catch((error: unknown) => {
        if (error instanceof IssuerRefusal) return { status: 'refused', reason: error.refused } as const
        throw error
      }),
    loadByKey: async (key: string): Promise<LoadFact> => (await find(wire.loadReply, `/v1/loads?key=${part(key)}`)) ?? { status: 'not_found' },
    authorization: (ref: string) => get(wire.authorizationReply, `/v1/authorizations/${part(ref)}`),
    transaction: (ref: string) => get(wire.transactionReply, `/v1/transactions/${part(ref)}`),
    dispute: (ref: string) => get(wire.disputeReply, `/v1/disputes/${part(ref)}`),
    openDispute: async ({ key, transactionRef, minor, reason, words, file }: DisputeCall) => {
      const made = await change(
        wire.disputeReply,
        '/v1/disputes',
        {
          transaction: transactionRef,
          minor,
          reason,
          words,
          ...(file ? { file: { name: file.name, type: file.type, bytes: file.body.length } } : {}),
        },
        `${key}.open`,
      )
      return change(wire.disputeReply, `/v1/disputes/${part(made.ref)}/submit`, {}, `${key}.submit`)
    },
    challenge: (ref: string) => find(wire.challengeReply, `/v1/challenges/${part(ref)}`),
    reveal: async ({ cardRef, origin, lang, theme, seconds }: RevealCall): Promise<RevealFrame> => {
      const { nonce, ends } = await change(
        wire.revealReply,
        '/v1/reveals',
        { card: cardRef, origin, lang, theme, ...(seconds === undefined ? {} : { seconds }) },
        randomUUID(),
      )
      return { form: 'frame', url: `${await address.pages(origin)}/frame?nonce=${nonce}`, expiresAt: ends }
    },
    book: async function* (from: Date, to: Date): AsyncGenerator<IssuerTransaction> {
      for (let after = ''; ;) {
        const page = await get(wire.bookReply, `/v1/book?from=${from.getTime()}&to=${to.getTime()}&after=${after}`)
        yield* page.rows
        const last = page.rows.at(-1)
        if (!page.more || !last) return
        after = last.ref
      }
    },
    play: async (cardRef: string): Promise<void> => void (await change(wire.nothingReply, '/v1/plays', { card: cardRef }, randomUUID())),
    standing: () => get(wire.standingReply, '/v1/standing'),
  }
}
