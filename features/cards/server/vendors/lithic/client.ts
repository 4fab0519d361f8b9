import type Lithic from 'lithic'
import { loadPackage } from '#platform/server/load-package.ts'
import { failedReply, lostCall, SupplierError } from '#platform/shared/supplier-error.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools, OpenReason } from '../port.ts'
import type { Account } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Lithic is configured. */
export const loadLithic = (): typeof Lithic => loadPackage<{ default: typeof Lithic }>('lithic').default

/** The vendor's SDK over our own fetch. Its retries are off; the caller decides on a retry. */
export function lithicOf({ apiKey, base }: Account, { fetch }: Pick<IssuerTools, 'fetch'>): Lithic {
  const Sdk = loadLithic()
  return new Sdk({ apiKey, baseURL: base, webhookSecret: null, fetch: onlyJson(fetch), timeout: DEADLINE_MS, maxRetries: 0, logLevel: 'off' })
}

/** Rejects a 200 that is not JSON, which the SDK would read as an empty result: it may be a proxy's page. File uploads (PUT) are exempt. */
const onlyJson =
  (fetch: IssuerTools['fetch']): IssuerTools['fetch'] =>
  async (input, init) => {
    const reply = await fetch(input, init)
    if (reply.ok && init?.method?.toUpperCase() !== 'PUT' && !reply.headers.get('content-type')?.includes('json')) throw new Error('not an answer')
    return reply
  }

/** 4xx statuses that are no verdict on the call: our account, a conflict with the same call, rate limits. */
const NOT_ABOUT_THE_CALL = [401, 403, 408, 409, 429]

interface Call {
  /** The call may have changed something at Lithic. */
  readonly writes: boolean
  /** Why a 4xx about the call refuses it. */
  readonly refused?: OpenReason
}

/**
 * Runs one call. Passes on only the status of an SDK error, which carries headers and the raw response. A 4xx is a refusal, except
 * those above.
 */
export async function ask<T>(what: string, work: () => Promise<T>, { writes, refused = 'declined' }: Call = { writes: false }): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SupplierError) throw error
    const { status } = error as { status?: number }
    if (status === undefined) throw lostCall(error, { writes })
    const about = status >= 400 && status < 500 && !NOT_ABOUT_THE_CALL.includes(status)
    if (about) throw new IssuerRefusal(status === 404 ? 'not_found' : `${what.replaceAll(' ', '_')}_${status}`, refused)
    throw failedReply({ status, said: what, writes })
  }
}
