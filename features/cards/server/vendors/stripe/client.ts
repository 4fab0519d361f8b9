import type Stripe from 'stripe'
import { loadPackage } from '#platform/server/load-package.ts'
import { failedReplyError, lostCallError, SupplierError } from '#platform/shared/supplier-error.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools, OpenReason } from '../port.ts'
import type { StripeIssuingAccount } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Stripe is configured. */
export const loadStripeIssuing = (): typeof Stripe => loadPackage<typeof Stripe>('stripe')

/** The version that the SDK's types describe. It goes with answers to decisions and with ephemeral keys, too. */
export const STRIPE_ISSUING_API_VERSION = '2026-10-28.endive'

/** The vendor's SDK over our own fetch. It never tries again by itself: who asks decides that. */
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

/** 4xx that say nothing about the call: our account, a clash with the same call, too many calls. */
const NON_FINAL_STATUSES = [401, 403, 408, 409, 429]

interface StripeCallOptions {
  /** The call may have changed something at Stripe. */
  readonly writes: boolean
  /** Why a 4xx about the call refuses it, by the parameter that Stripe names. */
  readonly refused?: (param: string) => OpenReason
}

/**
 * Runs one call. The SDK's errors carry headers and the raw answer, and an authentication error repeats part of the key: only type,
 * status and code leave here. A 4xx is a refusal, unless it says nothing about the call.
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
