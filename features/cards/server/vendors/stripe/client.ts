import type Stripe from 'stripe'
import { loadPackage } from '#platform/server/load-package.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools } from '../port.ts'
import type { Account } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Stripe is configured. */
export const loadStripe = (): typeof Stripe => loadPackage<typeof Stripe>('stripe')

/** The version that the SDK's types describe. It goes with answers to decisions and with ephemeral keys, too. */
export const API_VERSION = '2026-10-28.endive'

/** The vendor's SDK over our own fetch. It never tries again by itself: who asks decides that. */
export function stripeOf({ secretKey, base }: Account, { fetch }: Pick<IssuerTools, 'fetch'>): Stripe {
  const Sdk = loadStripe()
  return new Sdk(secretKey, {
    httpClient: Sdk.createFetchHttpClient(fetch),
    host: base.hostname,
    protocol: base.protocol === 'http:' ? 'http' : 'https',
    ...(base.port ? { port: base.port } : {}),
    apiVersion: API_VERSION,
    timeout: DEADLINE_MS,
    maxNetworkRetries: 0,
    telemetry: false,
  })
}

/**
 * Runs one call. The SDK's errors carry headers and the raw answer, and an authentication error repeats part of the key: only type,
 * status and code leave here. A 4xx is a refusal, unless it says nothing about the call.
 */
export async function ask<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { type, statusCode, code, rawType } = error as { type?: string; statusCode?: number; code?: string; rawType?: string }
    const plain = (text: unknown) => (typeof text === 'string' && /^\w{1,60}$/.test(text) ? text : undefined)
    const about = statusCode !== undefined && statusCode >= 400 && statusCode < 500 && ![401, 403, 409, 429].includes(statusCode)
    if (about && rawType !== 'idempotency_error') throw new IssuerRefusal(plain(code) ?? plain(rawType) ?? 'refused')
    throw new Error(`Stripe could not ${what}: ${plain(type) ?? 'no answer'}${statusCode ? `, HTTP ${statusCode}` : ''}`)
  }
}
