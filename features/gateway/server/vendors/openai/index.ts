import type { ModelVendor, OldModelNames } from '../port.ts'
import { openaiReport } from './report.ts'
import { shown } from './shown.ts'

const openaiOldNames: OldModelNames = {
  answered: {
    'gpt-4o-mini': ['gpt-3.5-turbo', 'gpt-3.5-turbo-0125', 'gpt-3.5-turbo-1106', 'gpt-3.5-turbo-16k', 'gpt-35-turbo'],
    'gpt-4.1': ['gpt-4', 'gpt-4-0613', 'gpt-4-turbo', 'gpt-4-turbo-preview', 'gpt-4-1106-preview', 'gpt-4-vision-preview'],
    'omni-moderation-latest': ['text-moderation-latest', 'text-moderation-stable'],
  },
  named: {
    'text-embedding-3-small': ['text-embedding-ada-002'],
    'gpt-image-2': ['dall-e-2', 'dall-e-3'],
  },
}

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
