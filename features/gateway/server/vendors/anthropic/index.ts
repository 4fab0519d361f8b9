import type { ModelVendor } from '../port.ts'

/** Anthropic. The client's anthropic-version goes through; a key needs x-api-key. https://docs.anthropic.com/en/api/overview */
export const anthropic: ModelVendor = {
  id: 'anthropic',
  label: 'Anthropic',
  dialects: ['anthropic-messages'],
  baseUrl: 'https://api.anthropic.com',
  env: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  authHeaders: (key) => ['x-api-key', key],
  billsAfterAbort: false,
}
