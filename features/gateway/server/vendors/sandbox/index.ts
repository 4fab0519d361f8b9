import type { LookedUpCall, ModelVendor } from '../port.ts'
import { sandboxReport } from './report.ts'

/**
 * Asks the sandbox's book what became of a call. `finished` is false while it is still running; `usage` is what the
 * sandbox bills, in the dialect's own form. A base URL with or without the vendor's prefix will do.
 */
async function lookup(baseUrl: string, key: string, callId: string): Promise<LookedUpCall> {
  const answer = await fetch(`${baseUrl.replace(/\/+$/, '')}/book?call=${encodeURIComponent(callId)}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the sandbox book answered ${answer.status}`)
  const { known, finished, usage, dialect } = (await answer.json()) as LookedUpCall
  return { known, finished, usage: usage ?? undefined, dialect: dialect ?? undefined }
}

/** One upstream for all dialects, and a stand-in for each vendor, which serves its models where there is no key. */
export function sandboxesOf(vendors: readonly ModelVendor[]): [ModelVendor, ...ModelVendor[]] {
  const dialects = [...new Set(vendors.flatMap((vendor) => vendor.dialects))]
  const whole: ModelVendor = {
    id: 'sandbox',
    label: 'Sandbox',
    dialects,
    baseUrl: 'http://127.0.0.1:3000/sandbox/upstream',
    /** The key that the sandbox upstream takes, any by default. */
    env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_UPSTREAM_URL' },
    authHeaders: (key) => ['authorization', `Bearer ${key}`, 'x-goog-api-key', key],
    billsAfterAbort: false,
    callIdHeader: 'x-mingxi-call-id',
    lookup,
    report: sandboxReport(dialects),
  }
  return [whole, ...vendors.map((vendor) => standIn(whole, vendor))]
}

/** The same sandbox as one vendor: with its credentials, and billing after an abort as it does. */
const standIn = (whole: ModelVendor, vendor: ModelVendor): ModelVendor => ({
  ...whole,
  id: `sandbox-${vendor.id}`,
  label: `Sandbox (${vendor.label})`,
  standsFor: vendor.label,
  dialects: vendor.dialects,
  baseUrl: `${whole.baseUrl}/${vendor.id}`,
  env: { key: whole.env.key, baseUrl: `SANDBOX_${vendor.id.toUpperCase().replaceAll('-', '_')}_URL` },
  authHeaders: vendor.authHeaders,
  billsAfterAbort: vendor.billsAfterAbort,
  report: sandboxReport(vendor.dialects),
})
