import type { ModelVendor } from '../port.ts'
import { openaiOldNames } from './old-names.ts'
import { openaiReport } from './report.ts'
import { shown } from './shown.ts'

/** OpenAI and everything compatible with it (another base URL). https://platform.openai.com/docs/api-reference */
export const openai: ModelVendor = {
  id: shown.id,
  label: 'OpenAI',
  dialects: [
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
  ],
  baseUrl: 'https://api.openai.com',
  env: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  authHeaders: (key) => ['authorization', `Bearer ${key}`],
  billsAfterAbort: false,
  hasPublicTokenizer: true,
  oldNames: openaiOldNames,
  traits: (model) => (/^gpt-(?:5\.[6-9]|[6-9])/.test(model) ? ['max-effort'] : []),
  report: openaiReport,
}
