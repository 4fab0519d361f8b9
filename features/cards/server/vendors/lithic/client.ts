import type Lithic from 'lithic'
import { loadPackage } from '#platform/server/load-package.ts'
import { failedReplyError, lostCallError, SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools, OpenReason } from '../port.ts'
import type { LithicAccount } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Lithic is configured. */
export const loadLithic = (): typeof Lithic => loadPackage<{ default: typeof Lithic }>('lithic').default

/** The vendor's SDK over our own fetch. Its retries are off; the caller decides on a retry. */
export function createLithicClient({ apiKey, base }: LithicAccount, { fetch }: Pick<IssuerTools, 'fetch'>): Lithic {
  const Sdk = loadLithic()
  return new Sdk({ apiKey, baseURL: base, webhookSecret: null, fetch: requireJson(fetch), timeout: DEADLINE_MS, maxRetries: 0, logLevel: 'off' })
}

/** Rejects a 200 that is not JSON, which the SDK would read as an empty result: it may be a proxy's page. File uploads (PUT) are exempt. */
const requireJson =
  (fetch: IssuerTools['fetch']): IssuerTools['fetch'] =>
  async (input, init) => {
    const reply = await fetch(input, init)
    if (reply.ok && init?.method?.toUpperCase() !== 'PUT' && !reply.headers.get('content-type')?.includes('json')) throw new Error('not an answer')
    return reply
  }

/** 4xx statuses that are no verdict on the call: our account, a conflict with the same call, rate limits. */
const NON_FINAL_STATUSES = [401, 403, 408, 409, 429]

interface LithicCallOptions {
  /** The call may have changed something at Lithic. */
  readonly writes: boolean
  /** Refusal reason for a 4xx about the call. */
  readonly refused?: OpenReason
}

/**
 * Runs one call. Passes on only the status of an SDK error, which carries headers and the raw response. A 4xx is a refusal, except
 * those above.
 */
export async function callLithic<T>(what: string, work: () => Promise<T>, { writes, refused = 'declined' }: LithicCallOptions = { writes: false }): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SupplierError) throw error
    const { status } = error as { status?: number }
    if (status === undefined) throw lostCallError(error, { writes })
    const about = status >= 400 && status < 500 && !NON_FINAL_STATUSES.includes(status)
    if (about) throw new IssuerRefusal(status === 404 ? 'not_found' : `${what.replaceAll(' ', '_')}_${status}`, refused)
    throw failedReplyError({ status, said: what, writes })
  }
}
