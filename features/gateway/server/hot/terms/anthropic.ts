import { markFree, parsePaths, markPriced, markRefused, markTokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of Messages. https://platform.claude.com/docs/en/about-claude/pricing */

export const MESSAGES_FIELDS: TermsTable = {
  ...markFree(
    'model stream temperature top_p top_k stop_sequences metadata tool_choice diagnostics fallback_credit_token output_config output_format user_profile_id',
  ),
  ...markTokens('messages system max_tokens thinking cache_control compaction context_management mcp_servers'),
  ...markPriced('service_tier', 'nothing: priority capacity is bought by the vendor account, at the list price a token'),
  ...markPriced('speed', 'SPEEDS, by the answer'),
  ...markPriced('inference_geo', 'REGIONS, by the answer'),
  ...markPriced('tools', 'MESSAGES_TOOLS'),
  ...markPriced('container', 'codeSeconds, with the tool that runs in it'),
  ...markPriced('fallbacks', 'steps on the models that it names'),
  ...markRefused('thread', 'is kept in the vendor account that all customers share. Send the whole conversation as `messages`.'),
  ...markRefused('billing_policy', 'names who pays the vendor: here that is always your balance. Leave it out.'),
  ...markRefused('workspace_id', 'chooses a workspace of the vendor account, which is not yours. Leave it out.'),
}

/** Tiers that an answer reports; priority is capacity bought by the vendor account, at the list price per token. */
export const SERVICE_TIERS: TermsTable = { ...markFree('standard priority'), ...markRefused('batch', 'is not sold here.') }
export const SPEEDS: TermsTable = { ...markFree('standard'), ...markPriced('fast', 'a factor of the model') }
export const INFERENCE_REGIONS: TermsTable = { ...markFree('global'), ...markPriced('us', 'a factor of the model') }

/** By family: the date at the end of a type is its version. */
export const MESSAGES_TOOLS: TermsTable = {
  ...markFree('custom bash text_editor computer memory browser_toolset computer_toolset tool_search_tool_bm25 tool_search_tool_regex'),
  ...markTokens('web_fetch mcp_toolset'),
  ...markPriced('web_search', 'webSearches'),
  ...markPriced('code_execution', 'codeSeconds'),
  ...markPriced('advisor', 'steps on the model that it names'),
}

/** The rest of a tool's type is its version, a date. */
export const parseToolFamily = (type: string): string => type.replace(/_\d{8}$/, '')

/**
 * From these versions on, code in them runs free of charge.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool
 */
export const FREE_CODE_SINCE = '20260209'
export const FREE_CODE_TOOLS = /^web_(?:search|fetch)_(\d{8})$/

const STEP = `
  input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens cache_creation.ephemeral_5m_input_tokens
  cache_creation.ephemeral_1h_input_tokens`
export const MESSAGES_USAGE = parsePaths(`
  ${STEP} output_tokens_details.thinking_tokens server_tool_use.web_search_requests server_tool_use.web_fetch_requests
  ${STEP.trim()
    .split(/\s+/)
    .map((name) => `iterations[].${name}`)
    .join(' ')} iterations[].output_tokens_details.thinking_tokens`)

/** Steps of `iterations`. */
export const ITERATION_STEPS: TermsTable = {
  ...markTokens('message compaction'),
  ...markPriced('advisor_message fallback_message', 'by the model that they name'),
}
