import { each, free, paths, priced, refused, tokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of Chat Completions, Responses, Completions and Embeddings. https://developers.openai.com/api/docs/pricing */

export const TIERS: TermsTable = {
  ...free('auto default'),
  ...priced('flex priority fast', 'a factor of the model; fast and priority are one'),
  ...refused('scale ultrafast', 'is not sold here. Leave `service_tier` out, or send `default`, `flex` or `priority`.'),
}

const KEPT = 'is kept in the vendor account that all customers share, and what it names cannot be priced. Send its content in the request.'

export const CHAT_FIELDS: TermsTable = {
  ...free(
    `model stream stream_options temperature top_p seed stop logit_bias logprobs top_logprobs frequency_penalty presence_penalty metadata user
     safety_identifier store parallel_tool_calls tool_choice function_call response_format verbosity prompt_cache_key prompt_cache_retention moderation`,
  ),
  ...tokens('messages functions audio modalities reasoning_effort max_tokens max_completion_tokens n'),
  ...priced('service_tier', 'TIERS, by the answer'),
  ...priced('tools', 'CHAT_TOOLS'),
  ...priced('prediction', 'as output, the rejected part too'),
  ...priced('prompt_cache_options', 'cacheWrite12h where ttl is 12h'),
  ...refused(
    'web_search_options',
    'cannot be priced in Chat Completions, whose answers do not tell how often was searched. Use the tool `web_search` of /v1/responses.',
  ),
}
export const CHAT_TOOLS: TermsTable = free('function custom')

export const RESPONSES_FIELDS: TermsTable = {
  ...free(
    `model stream stream_options temperature top_p top_logprobs metadata user safety_identifier store parallel_tool_calls tool_choice include text truncation
     max_tool_calls prompt_cache_key prompt_cache_retention moderation access_programs`,
  ),
  ...tokens('input instructions reasoning max_output_tokens context_management conversation previous_response_id image'),
  ...priced('service_tier', 'TIERS, by the answer'),
  ...priced('tools', 'RESPONSES_TOOLS, by the calls that the answer names'),
  ...priced('prompt_cache_options', 'cacheWrite12h where ttl is 12h'),
  ...refused('prompt', KEPT),
  ...refused('background', 'responses are not stored here and cannot be fetched later; leave it out or send false.'),
}

const HOSTED = 'is not sold here. Leave it out of `tools`.'
export const RESPONSES_TOOLS: TermsTable = {
  ...free('function custom namespace local_shell apply_patch tool_search programmatic_tool_calling'),
  ...tokens('mcp computer computer_use_preview'),
  ...priced('web_search web_search_2025_08_26', 'webSearches'),
  ...priced('code_interpreter', 'containers'),
  ...priced('image_generation', 'a step on the image model'),
  ...priced('shell', 'free where its environment is local; refused where the vendor hosts it'),
  ...refused('file_search', 'searches files that are kept in the vendor account that all customers share. Send the files in the request.'),
  ...refused('web_search_preview web_search_preview_2025_03_11', 'is priced by the model and its age. Use the tool `web_search`.'),
}
export const UNKNOWN_TOOL = HOSTED
/** Items of the input that bring tools of their own. */
export const TOOLED_ITEMS = ['additional_tools', 'tool_search_output']

export const COMPLETIONS_FIELDS: TermsTable = {
  ...free('model stream stream_options temperature top_p seed stop logit_bias logprobs frequency_penalty presence_penalty user'),
  ...tokens('prompt suffix echo max_tokens n best_of'),
}
export const EMBEDDINGS_FIELDS: TermsTable = { ...free('model dimensions encoding_format user'), ...tokens('input') }

/** Totals and their parts; both namings. */
export const OPENAI_USAGE = paths(`
  prompt_tokens completion_tokens input_tokens output_tokens total_tokens
  prompt_tokens_details.cached_tokens prompt_tokens_details.cache_write_tokens prompt_tokens_details.audio_tokens prompt_tokens_details.image_tokens
  prompt_tokens_details.text_tokens prompt_tokens_details.cache_write_tokens_details.ttl_30m_tokens prompt_tokens_details.cache_write_tokens_details.ttl_12h_tokens
  completion_tokens_details.reasoning_tokens completion_tokens_details.audio_tokens completion_tokens_details.text_tokens
  completion_tokens_details.accepted_prediction_tokens completion_tokens_details.rejected_prediction_tokens
  input_tokens_details.cached_tokens input_tokens_details.cache_write_tokens input_tokens_details.audio_tokens input_tokens_details.image_tokens
  input_tokens_details.text_tokens input_tokens_details.cache_write_tokens_details.ttl_30m_tokens input_tokens_details.cache_write_tokens_details.ttl_12h_tokens
  output_tokens_details.reasoning_tokens output_tokens_details.audio_tokens output_tokens_details.text_tokens`)

/** Usage figures of hosted tools in Responses, separate from the model's usage. */
export const TOOL_USAGE = paths(`
  web_search.num_requests image_gen.input_tokens image_gen.output_tokens image_gen.total_tokens image_gen.cached_tokens
  image_gen.input_tokens_details.image_tokens image_gen.input_tokens_details.text_tokens
  image_gen.cached_tokens_details.cached_image_tokens image_gen.cached_tokens_details.cached_text_tokens
  image_gen.output_tokens_details.image_tokens image_gen.output_tokens_details.text_tokens`)

/** Items of an answer that are calls of tools: of the client's, or priced, or counted in tokens. Another is unknown. */
export const ANSWER_CALLS: TermsTable = {
  ...free('function_call custom_tool_call local_shell_call apply_patch_call tool_search_call shell_call'),
  ...each('mcp_call computer_call', 'tokens'),
  ...priced('web_search_call', 'webSearches'),
  ...priced('code_interpreter_call', 'containers'),
  ...priced('image_generation_call', 'a step on the image model'),
  ...refused('file_search_call', HOSTED),
}
