import { sumInput, sumOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { AnswerHead, Logprob, Seal, StopReason } from '../form.ts'
import { writeOpenaiLogprobs } from '../logprobs.ts'
import { formatSeal } from '../reading.ts'
import type { resolveSpacedName } from '../spaces.ts'

/** A call of one of the caller's tools. */
export interface CalledTool {
  readonly id: string
  readonly names: ReturnType<typeof resolveSpacedName>
}

const DIALECT = 'openai-responses'

function writeResponsesUsage(usage: Usage): Raw {
  const input = sumInput(usage)
  const output = sumOutput(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cachedInput, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + output,
  }
}

export function buildResponseShell(head: AnswerHead, status: string): Raw {
  return {
    id: `resp_${head.id}`,
    object: 'response',
    created_at: head.created,
    status,
    access_programs: null,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    model: head.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    usage: null,
  }
}

export function buildEndedResponse(head: AnswerHead, stop: StopReason, output: readonly Raw[], usage: Usage | undefined): Raw {
  const reason = stop === 'length' || stop === 'context' ? 'max_output_tokens' : stop === 'refusal' ? 'content_filter' : undefined
  return {
    ...buildResponseShell(head, reason === undefined ? 'completed' : 'incomplete'),
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usage === undefined ? null : writeResponsesUsage(usage),
  }
}

export const buildReasoningItem = (id: string, text: string, seal: Seal | undefined): Raw => ({
  id,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  encrypted_content: seal && formatSeal(seal, DIALECT),
})
export const buildMessageItem = (id: string, status: string, content: readonly Raw[]): Raw => ({ id, type: 'message', status, role: 'assistant', content })
export const buildTextPart = (kind: 'text' | 'refusal', text: string, logprobs: readonly Logprob[] = []): Raw =>
  kind === 'text' ? { type: 'output_text', text, annotations: [], logprobs: writeOpenaiLogprobs(logprobs) } : { type: 'refusal', refusal: text }
export const buildFunctionCall = (id: string, status: string, call: CalledTool, args: string): Raw => ({
  id,
  type: 'function_call',
  status,
  call_id: call.id,
  ...call.names,
  arguments: args,
})
