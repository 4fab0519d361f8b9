import type { ModelVendor, OldModelNames } from '../port.ts'
import { shown } from './shown.ts'

const cohereOldNames: OldModelNames = {
  named: { 'rerank-v5.0-fast': ['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0', 'rerank-english-v2.0', 'rerank-multilingual-v2.0'] },
}

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
