import { free, paths, priced, refused, tokens } from './terms.ts'
import type { TermsTable } from './terms.ts'

/** Terms of Messages. https://platform.claude.com/docs/en/about-claude/pricing */

export const MESSAGES_FIELDS: TermsTable = {
  ...free(
    'model stream temperature top_p top_k stop_sequences metadata tool_choice diagnostics fallback_credit_token output_config output_format user_profile_id',
  ),
  ...tokens('messages system max_tokens thinking cache_control compaction context_management mcp_servers'),
  ...priced('service_tier', 'nothing: priority capacity is bought by the vendor account, at the list price a token'),
  ...priced('speed', 'SPEEDS, by the answer'),
  ...priced('inference_geo', 'REGIONS, by the answer'),
  ...priced('tools', 'MESSAGES_TOOLS'),
  ...priced('container', 'codeSeconds, with the tool that runs in it'),
  ...priced('fallbacks', 'steps on the models that it names'),
  ...refused('thread', 'is kept in the vendor account that all customers share. Send the whole conversation as `messages`.'),
  ...refused('billing_policy', 'names who pays the vendor: here that is always your balance. Leave it out.'),
  ...refused('workspace_id', 'chooses a workspace of the vendor account, which is not yours. Leave it out.'),
}

/** Tiers that an answer reports; priority is capacity bought by the vendor account, at the list price per token. */
export const SERVICE_TIERS: TermsTable = { ...free('standard priority'), ...refused('batch', 'is not sold here.') }
export const SPEEDS: TermsTable = { ...free('standard'), ...priced('fast', 'a factor of the model') }
export const REGIONS: TermsTable = { ...free('global'), ...priced('us', 'a factor of the model') }

/** By family: the day at the end of a type is its version. */
export const MESSAGES_TOOLS: TermsTable = {
  ...free('custom bash text_editor computer memory browser_toolset computer_toolset tool_search_tool_bm25 tool_search_tool_regex'),
  ...tokens('web_fetch mcp_toolset'),
  ...priced('web_search', 'webSearches'),
  ...priced('code_execution', 'codeSeconds'),
  ...priced('advisor', 'steps on the model that it names'),
}

/** The rest of a tool's type is its version, by day. */
export const familyOf = (type: string): string => type.replace(/_\d{8}$/, '')

/** Since these days code runs free of charge beside them. https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool */
export const FREE_CODE_SINCE = '20260209'
export const FREES_CODE = /^web_(?:search|fetch)_(\d{8})$/

const STEP = `
  input_tokens output_tokens cache_creation_input_tokens cache_read_input_tokens cache_creation.ephemeral_5m_input_tokens
  cache_creation.ephemeral_1h_input_tokens`
export const MESSAGES_USAGE = paths(`
  ${STEP} output_tokens_details.thinking_tokens server_tool_use.web_search_requests server_tool_use.web_fetch_requests
  ${STEP.trim()
    .split(/\s+/)
    .map((name) => `iterations[].${name}`)
    .join(' ')} iterations[].output_tokens_details.thinking_tokens`)

/** Steps of `iterations`. */
export const STEPS: TermsTable = { ...tokens('message compaction'), ...priced('advisor_message fallback_message', 'by the model that they name') }
