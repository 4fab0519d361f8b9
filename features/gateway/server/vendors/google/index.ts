import type { ModelVendor, OldModelNames } from '../port.ts'
import { googleReport } from './report.ts'
import { shown } from './shown.ts'

const googleOldNames: OldModelNames = {
  answered: {
    'gemini-2.5-flash-lite': ['gemini-1.5-flash', 'gemini-1.5-flash-latest', 'gemini-2.0-flash', 'gemini-2.0-flash-exp'],
    'gemini-2.5-flash': ['gemini-pro', 'gemini-1.5-pro', 'gemini-1.5-pro-latest'],
  },
  named: { 'gemini-embedding-2': ['gemini-embedding-001', 'text-embedding-004', 'embedding-001'] },
}

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
