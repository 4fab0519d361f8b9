import { assignTerms, markFree, parsePaths, markPriced, markRefused, markTokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of Chat Completions, Responses, Completions and Embeddings. https://developers.openai.com/api/docs/pricing */

export const TIERS: TermsTable = {
  ...markFree('auto default'),
  ...markPriced('flex priority fast', 'a factor of the model; fast and priority are one'),
  ...markRefused('scale ultrafast', 'is not sold here. Leave `service_tier` out, or send `default`, `flex` or `priority`.'),
}

const STORED_AT_VENDOR = 'is kept in the vendor account that all customers share, and what it names cannot be priced. Send its content in the request.'

export const CHAT_FIELDS: TermsTable = {
  ...markFree(
    `model stream stream_options temperature top_p seed stop logit_bias logprobs top_logprobs frequency_penalty presence_penalty metadata user
     safety_identifier store parallel_tool_calls tool_choice function_call response_format verbosity prompt_cache_key prompt_cache_retention moderation`,
  ),
  ...markTokens('messages functions audio modalities reasoning_effort max_tokens max_completion_tokens n'),
  ...markPriced('service_tier', 'TIERS, by the answer'),
  ...markPriced('tools', 'CHAT_TOOLS'),
  ...markPriced('prediction', 'as output, the rejected part too'),
  ...markPriced('prompt_cache_options', 'cacheWrite12h where ttl is 12h'),
  ...markRefused(
    'web_search_options',
    'cannot be priced in Chat Completions, whose answers do not tell how often was searched. Use the tool `web_search` of /v1/responses.',
  ),
}
export const CHAT_TOOLS: TermsTable = markFree('function custom')

export const RESPONSES_FIELDS: TermsTable = {
  ...markFree(
    `model stream stream_options temperature top_p top_logprobs metadata user safety_identifier store parallel_tool_calls tool_choice include text truncation
     max_tool_calls prompt_cache_key prompt_cache_retention moderation access_programs`,
  ),
  ...markTokens('input instructions reasoning max_output_tokens context_management conversation previous_response_id image'),
  ...markPriced('service_tier', 'TIERS, by the answer'),
  ...markPriced('tools', 'RESPONSES_TOOLS, by the calls that the answer names'),
  ...markPriced('prompt_cache_options', 'cacheWrite12h where ttl is 12h'),
  ...markRefused('prompt', STORED_AT_VENDOR),
  ...markRefused('background', 'responses are not stored here and cannot be fetched later; leave it out or send false.'),
}

const UNSOLD_TOOL = 'is not sold here. Leave it out of `tools`.'
export const RESPONSES_TOOLS: TermsTable = {
  ...markFree('function custom namespace local_shell apply_patch tool_search programmatic_tool_calling'),
  ...markTokens('mcp computer computer_use_preview'),
  ...markPriced('web_search web_search_2025_08_26', 'webSearches'),
  ...markPriced('code_interpreter', 'containers'),
  ...markPriced('image_generation', 'a step on the image model'),
  ...markPriced('shell', 'free where its environment is local; refused where the vendor hosts it'),
  ...markRefused('file_search', 'searches files that are kept in the vendor account that all customers share. Send the files in the request.'),
  ...markRefused('web_search_preview web_search_preview_2025_03_11', 'is priced by the model and its age. Use the tool `web_search`.'),
}
export const UNKNOWN_TOOL = UNSOLD_TOOL
/** Input items that add tools. */
export const TOOLED_ITEMS = ['additional_tools', 'tool_search_output']

export const COMPLETIONS_FIELDS: TermsTable = {
  ...markFree('model stream stream_options temperature top_p seed stop logit_bias logprobs frequency_penalty presence_penalty user'),
  ...markTokens('prompt suffix echo max_tokens n best_of'),
}
export const EMBEDDINGS_FIELDS: TermsTable = { ...markFree('model dimensions encoding_format user'), ...markTokens('input') }

/** Totals and their parts; both namings. */
export const OPENAI_USAGE = parsePaths(`
  prompt_tokens completion_tokens input_tokens output_tokens total_tokens
  prompt_tokens_details.cached_tokens prompt_tokens_details.cache_write_tokens prompt_tokens_details.audio_tokens prompt_tokens_details.image_tokens
  prompt_tokens_details.text_tokens prompt_tokens_details.cache_write_tokens_details.ttl_30m_tokens prompt_tokens_details.cache_write_tokens_details.ttl_12h_tokens
  completion_tokens_details.reasoning_tokens completion_tokens_details.audio_tokens completion_tokens_details.text_tokens
  completion_tokens_details.accepted_prediction_tokens completion_tokens_details.rejected_prediction_tokens
  input_tokens_details.cached_tokens input_tokens_details.cache_write_tokens input_tokens_details.audio_tokens input_tokens_details.image_tokens
  input_tokens_details.text_tokens input_tokens_details.cache_write_tokens_details.ttl_30m_tokens input_tokens_details.cache_write_tokens_details.ttl_12h_tokens
  output_tokens_details.reasoning_tokens output_tokens_details.audio_tokens output_tokens_details.text_tokens`)

/** Usage figures of hosted tools in Responses, separate from the model's usage. */
export const TOOL_USAGE = parsePaths(`
  web_search.num_requests image_gen.input_tokens image_gen.output_tokens image_gen.total_tokens image_gen.cached_tokens
  image_gen.input_tokens_details.image_tokens image_gen.input_tokens_details.text_tokens
  image_gen.cached_tokens_details.cached_image_tokens image_gen.cached_tokens_details.cached_text_tokens
  image_gen.output_tokens_details.image_tokens image_gen.output_tokens_details.text_tokens`)

/** Items of an answer that are tool calls: of the client's tools, or priced, or counted in tokens. Other items are unknown. */
export const ANSWER_CALLS: TermsTable = {
  ...markFree('function_call custom_tool_call local_shell_call apply_patch_call tool_search_call shell_call'),
  ...assignTerms('mcp_call computer_call', 'tokens'),
  ...markPriced('web_search_call', 'webSearches'),
  ...markPriced('code_interpreter_call', 'containers'),
  ...markPriced('image_generation_call', 'a step on the image model'),
  ...markRefused('file_search_call', UNSOLD_TOOL),
}
