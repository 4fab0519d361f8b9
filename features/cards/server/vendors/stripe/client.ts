import type Stripe from 'stripe'
import { loadPackage } from '#platform/server/load-package.ts'
import { failedReplyError, lostCallError, SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools, OpenReason } from '../port.ts'
import type { StripeIssuingAccount } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Stripe is configured. */
export const loadStripeIssuing = (): typeof Stripe => loadPackage<typeof Stripe>('stripe')

/** API version that the SDK's types describe; also sent with decisions and for ephemeral keys. */
export const STRIPE_ISSUING_API_VERSION = '2026-10-28.endive'

/** The vendor's SDK over our own fetch. Its retries are off; the caller decides on a retry. */
export function createStripeIssuingClient({ secretKey, base }: StripeIssuingAccount, { fetch }: Pick<IssuerTools, 'fetch'>): Stripe {
  const Sdk = loadStripeIssuing()
  return new Sdk(secretKey, {
    httpClient: Sdk.createFetchHttpClient(fetch),
    host: base.hostname,
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    ...(base.port ? { port: base.port } : {}),
    apiVersion: STRIPE_ISSUING_API_VERSION,
    timeout: DEADLINE_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/** 4xx statuses that are no verdict on the call: our account, a conflict with the same call, rate limits. */
const NON_FINAL_STATUSES = [401, 403, 408, 409, 429]

interface StripeCallOptions {
  /** The call may have changed something at Stripe. */
  readonly writes: boolean
  /** Refusal reason for a 4xx about the call, by the parameter that Stripe names. */
  readonly refused?: (param: string) => OpenReason
}

/**
 * Runs one call. Passes on only type, status and code of an SDK error, which carries headers, the raw response and, for authentication,
 * part of the key. A 4xx is a refusal, except those above.
 */
export async function callStripeIssuing<T>(what: string, work: () => Promise<T>, { writes, refused }: StripeCallOptions = { writes: false }): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SupplierError) throw error
    const {
      type,
      statusCode: status,
      code,
      rawType,
      param,
      detail,
    } = error as Partial<Record<'type' | 'code' | 'rawType' | 'param', string>> & {
      statusCode?: number
      detail?: unknown
    }
    const plain = (text: unknown) => (typeof text === 'string' && /^\w{1,60}$/.test(text) ? text : undefined)
    if (status === undefined) throw lostCallError(detail ?? error, { writes })
    const about = status >= 400 && status < 500 && !NON_FINAL_STATUSES.includes(status) && rawType !== 'idempotency_error'
    if (about) throw new IssuerRefusal(plain(code) ?? plain(rawType) ?? 'refused', refused?.(param ?? ''))
    throw failedReplyError({ status, said: `${what}: ${plain(type) ?? 'no answer'}`, writes })
  }
}
