import type Stripe from 'stripe'
import { loadPackage } from '#platform/server/load-package.ts'
import { findNetworkCode, wasNeverSent, SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierErrorKind } from '#platform/shared/suppliers/supplier-error.ts'
import type { ChannelTools } from '../port.ts'
import type { PaymentsStripeAccount } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class, loaded only if Stripe is configured. */
export const loadPaymentsStripeSdk = (): typeof Stripe => loadPackage<typeof Stripe>('stripe')

/** Creates the vendor's SDK over our own fetch. It never retries by itself: the caller decides. */
export function createPaymentsStripe({ secretKey, base }: PaymentsStripeAccount, tools: Pick<ChannelTools, 'fetch'>): Stripe {
  const Sdk = loadPaymentsStripeSdk()
  return new Sdk(secretKey, {
    httpClient: Sdk.createFetchHttpClient(rejectFalseSuccess(tools.fetch)),
    host: base.hostname,
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    ...(base.port ? { port: base.port } : {}),
    timeout: DEADLINE_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/** The SDK accepts any JSON without `error` as a success, whatever its status: a proxy's 502 must not look like one. */
function rejectFalseSuccess(send: ChannelTools['fetch']): ChannelTools['fetch'] {
  return async (input, init) => {
    const reply = await send(input, init)
    if (!reply.ok && !(await hasErrorBody(reply.clone())))
      throw Object.assign(new Error(`Stripe answered ${reply.status} without an error`), { code: `HTTP_${reply.status}` })
    return reply
  }
}

async function hasErrorBody(reply: Response): Promise<boolean> {
  const body: unknown = await reply.json().catch(() => undefined)
  return typeof body === 'object' && body !== null && 'error' in body
}

/** An SDK error as an outcome: `refusal` is Stripe's code of a definite refusal. */
export class StripeFailure extends SupplierError {
  readonly refusal: string | undefined
  /** The declined payment intent, where one was created. */
  readonly intentId: string | undefined
  constructor(kind: SupplierErrorKind, detail: string, { refusal, intentId }: { readonly refusal: string | undefined; readonly intentId: string | undefined }) {
    super(kind, { reason: refusal === undefined ? 'no_answer' : 'refused', detail })
    this.refusal = refusal
    this.intentId = intentId
  }
}

/**
 * Runs one call. SDK errors carry headers and the raw response, and an authentication error repeats part of the key: only type, status and
 * code are passed on (S6).
 */
export async function callPaymentsStripe<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const {
      type,
      statusCode,
      code,
      rawType,
      payment_intent: intent,
    } = error as {
      type?: string
      statusCode?: number
      code?: string
      rawType?: string
      payment_intent?: { readonly id?: unknown }
    }
    const name = typeof type === 'string' && /^\w{1,60}$/.test(type) ? type : 'no answer'
    const certain =
      statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 409 && statusCode !== 429 && rawType !== 'idempotency_error'
    const reason = typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : (rawType ?? name)
    // The SDK stores the cause of a broken connection in `detail`.
    const cause = (error as { detail?: unknown }).detail ?? error
    const isNothing = statusCode === 429 || (statusCode === undefined && (wasNeverSent(cause) || findNetworkCode(cause) === 'HTTP_429'))
    const kind = certain ? 'rejected' : isNothing ? 'retryable' : 'unknown'
    throw new StripeFailure(kind, `Stripe could not ${what}: ${name}${statusCode ? `, HTTP ${statusCode}` : ''}${code ? `, ${reason}` : ''}`, {
      refusal: certain ? reason : undefined,
      intentId: typeof intent?.id === 'string' ? intent.id : undefined,
    })
  }
}
