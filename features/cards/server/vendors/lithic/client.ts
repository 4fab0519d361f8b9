import type Lithic from 'lithic'
import { loadPackage } from '#platform/server/load-package.ts'
import { IssuerRefusal } from '../port.ts'
import type { IssuerTools } from '../port.ts'
import type { Account } from './config.ts'

const DEADLINE_MS = 10_000

/** The SDK's class: it is loaded where Lithic is configured. */
export const loadLithic = (): typeof Lithic => loadPackage<{ default: typeof Lithic }>('lithic').default

/** The vendor's SDK over our own fetch. It never tries again by itself: who asks decides that. */
export function lithicOf({ apiKey, base }: Account, { fetch }: Pick<IssuerTools, 'fetch'>): Lithic {
  const Sdk = loadLithic()
  return new Sdk({ apiKey, baseURL: base, webhookSecret: null, fetch: onlyJson(fetch), timeout: DEADLINE_MS, maxRetries: 0, logLevel: 'off' })
}

/** The SDK takes a page of somebody in between for an answer without fields, and for an empty list: a 200 that is not JSON is no answer. Files go elsewhere. */
const onlyJson =
  (fetch: IssuerTools['fetch']): IssuerTools['fetch'] =>
  async (input, init) => {
    const reply = await fetch(input, init)
    if (reply.ok && init?.method?.toUpperCase() !== 'PUT' && !reply.headers.get('content-type')?.includes('json')) throw new Error('not an answer')
    return reply
  }

/** Runs one call. The SDK's errors carry headers and the raw answer: only the status leaves here. A 4xx is a refusal, unless it says nothing about the call. */
export async function ask<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof IssuerRefusal) throw error
    const { status } = error as { status?: number }
    const about = status !== undefined && status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status)
    if (about) throw new IssuerRefusal(status === 404 ? 'not_found' : 'refused')
    throw new Error(`Lithic could not ${what}: ${status ? `HTTP ${status}` : 'no answer'}`)
  }
}
