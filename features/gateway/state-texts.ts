import type { callOutcomes } from './contract-usage.ts'
import type { gatewayTexts } from './texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export const GATEWAY_STATE_TEXT = {
  completed: 'state_completed',
  client_gone: 'state_client_gone',
  upstream_failed: 'state_upstream_failed',
  upstream_cut: 'state_upstream_cut',
  refused: 'state_refused',
  in_progress: 'state_in_progress',
} as const

export const GATEWAY_RANGE_TEXT = {
  today: 'range_today',
  week: 'range_week',
  days30: 'range_days30',
  month: 'range_month',
  lastMonth: 'range_lastMonth',
  own: 'range_own',
} as const

export const GATEWAY_MEASURED_TEXT = { characters: 'measured_characters', seconds: 'measured_seconds', searches: 'measured_searches' } as const

export const GATEWAY_CALL_LINE_TEXT = {
  input: 'callLine_input',
  output: 'callLine_output',
  characters: 'callLine_characters',
  seconds: 'callLine_seconds',
  searches: 'callLine_searches',
  call: 'callLine_call',
  cachedInput: 'callLine_cachedInput',
  cacheWrite5m: 'callLine_cacheWrite5m',
  cacheWrite1h: 'callLine_cacheWrite1h',
  audioInput: 'callLine_audioInput',
  audioOutput: 'callLine_audioOutput',
  imageInput: 'callLine_imageInput',
  reasoning: 'callLine_reasoning',
  cachedAudio: 'callLine_cachedAudio',
  cachedImage: 'callLine_cachedImage',
  imageOutput: 'callLine_imageOutput',
  cacheWrite12h: 'callLine_cacheWrite12h',
  webSearches: 'callLine_webSearches',
  groundedPrompts: 'callLine_groundedPrompts',
  mapPrompts: 'callLine_mapPrompts',
  containers: 'callLine_containers',
  codeSeconds: 'callLine_codeSeconds',
  flex: 'callLine_flex',
  priority: 'callLine_priority',
  fast: 'callLine_fast',
  us: 'callLine_us',
} as const

export const GATEWAY_CAPABILITY_TEXT = {
  vision: 'cap_vision',
  tools: 'cap_tools',
  thinking: 'cap_thinking',
  cache: 'cap_cache',
  structured: 'cap_structured',
  pdf: 'cap_pdf',
  audio: 'cap_audio',
  video: 'cap_video',
} as const

export const CALL_OUTCOME_TEXT = {
  completed: 'out_completed',
  client_gone: 'out_client_gone',
  upstream_failed: 'out_upstream_failed',
  upstream_cut: 'out_upstream_cut',
} as const satisfies Record<(typeof callOutcomes)[number], TextKeyOf<typeof gatewayTexts>>

/** Source of a call's figures, which determines how certain they are. */
export const CALL_PROVENANCE_TEXT = {
  upstream: 'prov_upstream',
  upstream_partial: 'prov_upstream_partial',
  counted: 'prov_counted',
  estimated: 'prov_estimated',
  held: 'prov_held',
} as const
