import { markFree, parsePaths, markPriced, markRefused, markTokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of images, speech, transcription, moderation, ranking and Realtime. Their dialects compute the holds (media). */

const FREE_IMAGE_FIELDS = 'model user safety_identifier stream background moderation output_compression response_format style frame_duration_ms'
export const IMAGES_FIELDS: TermsTable = {
  ...markFree(FREE_IMAGE_FIELDS),
  ...markTokens('prompt n size quality frame_count complexity partial_images image input_fidelity markup mask'),
  ...markPriced('output_format', 'gif by its frames; svg is refused: a second model writes it'),
  ...markRefused('svg', 'chooses a second model, which is billed as one and is not served here.'),
}

export const SPEECH_FIELDS: TermsTable = {
  ...markFree('model voice response_format stream_format'),
  ...markPriced('input instructions speed', 'characters, or tokens of sound'),
}

export const TRANSCRIPTION_FIELDS: TermsTable = {
  ...markFree('model include language languages temperature timestamp_granularities response_format stream chunking_strategy keywords'),
  ...markPriced('file prompt known_speaker_names known_speaker_references', 'seconds, or tokens of sound'),
}

export const MODERATION_FIELDS: TermsTable = markFree('input model')

/** Fields of a session and of its responses. Content that the vendor fetches or stores would join the session unseen, so no hold could cover it. */
export const REALTIME_FIELDS: TermsTable = {
  ...markFree('type model include output_modalities parallel_tool_calls tool_choice tracing truncation conversation metadata'),
  ...markTokens('audio instructions input max_output_tokens reasoning'),
  ...markPriced('tools', 'REALTIME_TOOLS'),
  ...markRefused('prompt', 'is kept in the vendor account that all customers share, and what it names cannot be priced. Send its text as `instructions`.'),
}
export const REALTIME_TOOLS: TermsTable = {
  ...markFree('function'),
  ...markRefused('mcp', 'is called by the vendor, and nobody can foresee what it adds to a session. Call the server yourself, by a tool of type `function`.'),
}

export const IMAGES_USAGE = parsePaths(`
  input_tokens output_tokens total_tokens input_tokens_details.image_tokens input_tokens_details.text_tokens input_tokens_details.cached_tokens
  output_tokens_details.image_tokens output_tokens_details.text_tokens`)

export const AUDIO_USAGE = parsePaths(
  'seconds characters input_tokens output_tokens total_tokens input_token_details.audio_tokens input_token_details.text_tokens output_token_details.text_tokens',
)

export const REALTIME_USAGE = parsePaths(`
  seconds input_tokens output_tokens total_tokens input_token_details.audio_tokens input_token_details.text_tokens input_token_details.image_tokens
  input_token_details.cached_tokens input_token_details.cached_tokens_details.audio_tokens input_token_details.cached_tokens_details.text_tokens
  input_token_details.cached_tokens_details.image_tokens output_token_details.audio_tokens output_token_details.text_tokens output_token_details.reasoning_tokens`)

/** Cohere's `meta`: the billed units, and the same in tokens. */
export const RERANK_USAGE = parsePaths(`
  billed_units.search_units billed_units.input_tokens billed_units.output_tokens billed_units.total_tokens tokens.input_tokens tokens.output_tokens
  cached_tokens`)
