import type { LookedUpCall, ModelVendor } from '../port.ts'
import { sandboxReport } from './book/report.ts'

/** The key that the sandbox accepts when none is configured. */
export const SANDBOX_KEY = 'sandbox'

/**
 * Asks the sandbox's book what became of a call. `finished` is false while it is still running; `usage` is what the
 * sandbox bills, in the dialect's own form. A base URL with or without the vendor's prefix will do.
 */
async function lookup(baseUrl: string, key: string, callId: string): Promise<LookedUpCall> {
  const root = baseUrl.replace(/\/+$/, '').replace(/\/(openai|anthropic|google|cohere)$/, '')
  const answer = await fetch(`${root}/book?call=${encodeURIComponent(callId)}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(10_000),
  })
  if (!answer.ok) throw new Error(`the sandbox book answered ${answer.status}`)
  const { known, finished, usage, dialect } = (await answer.json()) as LookedUpCall
  return { known, finished, usage: usage ?? undefined, dialect: dialect ?? undefined }
}

const OPENAI_DIALECTS: ModelVendor['dialects'] = [
  'openai-chat',
  'openai-responses',
  'openai-embeddings',
  'openai-completions',
  'openai-images',
  'openai-image-edits',
  'openai-speech',
  'openai-transcriptions',
  'openai-translations',
  'openai-moderations',
  'openai-realtime',
]

/** One upstream for all dialects. Its paths do not collide, so one base URL serves the three vendors. */
export const sandbox: ModelVendor = {
  id: 'sandbox',
  label: 'Sandbox',
  dialects: [...OPENAI_DIALECTS, 'anthropic-messages', 'gemini-generate', 'gemini-embed', 'gemini-live', 'rerank'],
  baseUrl: 'http://127.0.0.1:3000/sandbox/upstream',
  env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_UPSTREAM_URL' },
  authHeaders: (key) => ['authorization', `Bearer ${key}`, 'x-goog-api-key', key],
  billsAfterAbort: false,
  callIdHeader: 'x-mingxi-call-id',
  lookup,
  report: sandboxReport([...OPENAI_DIALECTS, 'anthropic-messages', 'gemini-generate', 'gemini-embed', 'gemini-live', 'rerank']),
}

/** The same sandbox, one vendor at a time: each with its vendor's credentials and billing after an abort. */
export const sandboxOpenai: ModelVendor = {
  ...sandbox,
  id: 'sandbox-openai',
  label: 'Sandbox (OpenAI)',
  dialects: OPENAI_DIALECTS,
  baseUrl: `${sandbox.baseUrl}/openai`,
  env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_OPENAI_URL' },
  authHeaders: (key) => ['authorization', `Bearer ${key}`],
  report: sandboxReport(OPENAI_DIALECTS),
}

export const sandboxAnthropic: ModelVendor = {
  ...sandbox,
  id: 'sandbox-anthropic',
  label: 'Sandbox (Anthropic)',
  dialects: ['anthropic-messages'],
  baseUrl: `${sandbox.baseUrl}/anthropic`,
  env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_ANTHROPIC_URL' },
  authHeaders: (key) => ['x-api-key', key],
  report: sandboxReport(['anthropic-messages']),
}

export const sandboxGoogle: ModelVendor = {
  ...sandbox,
  id: 'sandbox-google',
  label: 'Sandbox (Google)',
  dialects: ['gemini-generate', 'gemini-embed', 'gemini-live'],
  baseUrl: `${sandbox.baseUrl}/google`,
  env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_GOOGLE_URL' },
  authHeaders: (key) => ['x-goog-api-key', key],
  billsAfterAbort: true,
  report: sandboxReport(['gemini-generate', 'gemini-embed', 'gemini-live']),
}

export const sandboxCohere: ModelVendor = {
  ...sandbox,
  id: 'sandbox-cohere',
  label: 'Sandbox (Cohere)',
  dialects: ['rerank'],
  baseUrl: `${sandbox.baseUrl}/cohere`,
  env: { key: 'SANDBOX_UPSTREAM_KEY', baseUrl: 'SANDBOX_COHERE_URL' },
  authHeaders: (key) => ['authorization', `Bearer ${key}`],
  report: sandboxReport(['rerank']),
}
