import type { ModelVendor } from '../port.ts'
import { cohereOldNames } from './old-names.ts'
import { shown } from './shown.ts'

/** Cohere, for its rerank models; anything compatible works through another base URL. https://docs.cohere.com/reference/rerank */
export const cohere: ModelVendor = {
  id: shown.id,
  label: 'Cohere',
  dialects: ['rerank'],
  baseUrl: 'https://api.cohere.com',
  env: { key: 'COHERE_API_KEY', baseUrl: 'COHERE_BASE_URL' },
  authHeaders: (key) => ['authorization', `Bearer ${key}`],
  billsAfterAbort: true,
  oldNames: cohereOldNames,
}
