import type { ModelVendor } from '../port.ts'
import { googleOldNames } from './old-names.ts'
import { googleReport } from './report.ts'
import { shown } from './shown.ts'

/** Google's Gemini API. Keeps generating and billing after an abort. https://ai.google.dev/api */
export const google: ModelVendor = {
  id: shown.id,
  label: 'Google Gemini',
  dialects: ['gemini-generate', 'gemini-embed', 'gemini-live'],
  baseUrl: 'https://generativelanguage.googleapis.com',
  env: { key: 'GEMINI_API_KEY', baseUrl: 'GEMINI_BASE_URL' },
  authHeaders: (key) => ['x-goog-api-key', key],
  billsAfterAbort: true,
  oldNames: googleOldNames,
  traits: (model) => (/^gemini-(?:[3-9]|\d\d)/.test(model) ? ['thinks-by-level', 'media-results'] : []),
  report: googleReport,
}
