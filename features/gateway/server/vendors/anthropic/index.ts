import type { ModelVendor, Traits, OldModelNames } from '../port.ts'
import { anthropicReport } from './report.ts'
import { shown } from './shown.ts'

const anthropicOldNames: OldModelNames = {
  answered: {
    'claude-haiku-5-5': ['claude-3-haiku-20240307', 'claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
    'claude-sonnet-5-5': [
      'claude-3-5-sonnet-20240620',
      'claude-3-5-sonnet-20241022',
      'claude-3-5-sonnet-latest',
      'claude-3-7-sonnet-20250219',
      'claude-3-7-sonnet-latest',
    ],
    'claude-opus-5-5': ['claude-3-opus-20240229', 'claude-3-opus-latest'],
  },
}

/**
 * Traits by version, the numbers in the name. https://docs.claude.com/en/docs/build-with-claude/adaptive-thinking and
 * https://docs.claude.com/en/docs/build-with-claude/mid-conversation-system-messages
 */
function listTraits(model: string): Traits {
  const found = /^claude-(?:([a-z]+)-)?(\d+)(?:-(\d{1,2}))?(?:-|$)/.exec(model)
  if (found === null) return []
  const version = Number(found[2]) + Number(found[3] ?? 0) / 10
  const always = version > 5.4 || found[1] === 'fable'
  return [
    ...(version < 4.6 ? (['thinks-by-budget'] as const) : []),
    ...(always ? (['always-thinks'] as const) : version >= 5 ? (['thinks-unless-told'] as const) : []),
    ...(version > 4.7 ? (['system-turns'] as const) : []),
  ]
}

/** Anthropic. The client's anthropic-version is passed through; a key needs x-api-key. https://docs.anthropic.com/en/api/overview */
export const anthropic: ModelVendor = {
  id: shown.id,
  label: 'Anthropic',
  dialects: ['anthropic-messages'],
  baseUrl: 'https://api.anthropic.com',
  env: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  authHeaders: (key) => ['x-api-key', key],
  billsAfterAbort: false,
  oldNames: anthropicOldNames,
  traits: listTraits,
  report: anthropicReport,
}
