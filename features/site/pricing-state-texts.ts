import type { PriceUnit } from '#features/gateway/contract-units.ts'
import type { pricingTexts } from './pricing-texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export const SITE_CAP_TEXT = {
  vision: 'cap_vision',
  tools: 'cap_tools',
  thinking: 'cap_thinking',
  cache: 'cap_cache',
  structured: 'cap_structured',
  pdf: 'cap_pdf',
  audio: 'cap_audio',
  video: 'cap_video',
} as const

export const SITE_KIND_TEXT = {
  image: 'kind_image',
  speech: 'kind_speech',
  transcription: 'kind_transcription',
  moderation: 'kind_moderation',
  rerank: 'kind_rerank',
} as const

export const SITE_CLASS_TEXT = {
  input: 'class_input',
  output: 'class_output',
  characters: 'class_characters',
  seconds: 'class_seconds',
  searches: 'class_searches',
  cachedInput: 'class_cachedInput',
  cacheWrite5m: 'class_cacheWrite5m',
  cacheWrite1h: 'class_cacheWrite1h',
  audioInput: 'class_audioInput',
  audioOutput: 'class_audioOutput',
  imageInput: 'class_imageInput',
  cachedAudio: 'class_cachedAudio',
  cachedImage: 'class_cachedImage',
  imageOutput: 'class_imageOutput',
  cacheWrite12h: 'class_cacheWrite12h',
  webSearches: 'class_webSearches',
  groundedPrompts: 'class_groundedPrompts',
  mapPrompts: 'class_mapPrompts',
  containers: 'class_containers',
  codeSeconds: 'class_codeSeconds',
} as const

export const SITE_PER_TEXT = {
  token: 'per_token',
  search: 'per_search',
  character: 'per_character',
  second: 'per_second',
  prompt: 'per_prompt',
  gigabyte: 'per_gigabyte',
} as const satisfies Record<PriceUnit, TextKeyOf<typeof pricingTexts>>
