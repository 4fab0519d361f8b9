import type { Raw } from '../../usage/usage.ts'
import { writeToolChoice, resolveEffort, formatResultText, formatMediaUrl } from '../chat/write.ts'
import type { WriteTarget, NeutralRequest, Format, MediaPart, MessagePart, Thinking, ConversationTurn } from '../form.ts'
import { requireOneAnswer } from '../logprobs.ts'
import { joinTextParts, dropSettings, rejectField } from '../reading.ts'

const DIALECT = 'openai-responses'

export function writeResponsesRequest(ask: NeutralRequest, { model, traits }: WriteTarget): Raw {
  requireOneAnswer(ask.copies, ask.at.copies)
  dropSettings(ask.settings, ask.at, 'topK', 'seed', 'presencePenalty', 'frequencyPenalty')
  if (ask.stops.length > 0) rejectField(ask.at.stops)
  const format = formatFor(ask.format)
  const verbosity = ask.verbosity === 'medium' ? undefined : ask.verbosity
  return {
    model,
    stream: ask.stream || undefined,
    // Nothing is stored at the vendor: the state for the next turn travels with the answer.
    store: false,
    include: includeFor(ask),
    top_logprobs: ask.logprobs?.top,
    instructions: ask.system.length === 0 ? undefined : joinTextParts(ask.system),
    input: ask.turns.flatMap(itemsOf),
    max_output_tokens: ask.maxTokens,
    temperature: ask.settings.temperature,
    top_p: ask.settings.topP,
    tools:
      ask.tools.length === 0
        ? undefined
        : ask.tools.map((tool) => ({
            type: 'function',
            name: tool.name,
            description: tool.description,
            parameters: tool.schema,
            strict: tool.strict ?? false,
          })),
    tool_choice: writeToolChoice(ask.choice, false),
    parallel_tool_calls: ask.tools.length === 0 ? undefined : ask.parallel,
    text: format === undefined && verbosity === undefined ? undefined : { format, verbosity },
    reasoning: reasoningFor(ask.thinking, traits),
  }
}

function includeFor(ask: NeutralRequest): readonly string[] | undefined {
  const sealed = ask.thinking !== undefined && ask.thinking.effort !== 'none' ? ['reasoning.encrypted_content'] : []
  const wanted = ask.logprobs === undefined ? sealed : [...sealed, 'message.output_text.logprobs']
  return wanted.length === 0 ? undefined : wanted
}

function reasoningFor(thinking: Thinking | undefined, traits: WriteTarget['traits']): Raw | undefined {
  if (thinking === undefined) return undefined
  return { effort: resolveEffort(thinking, traits), summary: thinking.shown && thinking.effort !== 'none' ? 'auto' : undefined }
}

function formatFor(format: Format | undefined): Raw | undefined {
  if (format === undefined) return undefined
  if (format.kind === 'json') return { type: 'json_object' }
  return { type: 'json_schema', name: format.name ?? 'answer', schema: format.schema, strict: format.strict }
}

/** Items in the order of the parts; text between calls is a separate message. */
function itemsOf(turn: ConversationTurn): Raw[] {
  const items: Raw[] = []
  let content: Raw[] = []
  const flush = (): void => {
    if (content.length > 0) items.push({ type: 'message', role: turn.role, content })
    content = []
  }
  for (const part of turn.parts) {
    if (part.kind === 'call') {
      flush()
      items.push({ type: 'function_call', call_id: part.id, name: part.name, arguments: part.args })
    } else if (part.kind === 'result') {
      flush()
      items.push({ type: 'function_call_output', call_id: part.id, output: outputFor(part) })
    } else if (part.kind === 'thinking') {
      // Thoughts of another model prove nothing here: drop them (README).
      if (part.seal?.from !== DIALECT) continue
      const space = part.seal.value.indexOf(' ')
      // Without its content the vendor would look it up by id, regardless of its account.
      if (space <= 0 || space === part.seal.value.length - 1) continue
      flush()
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }]
      items.push({ type: 'reasoning', id: part.seal.value.slice(0, space), summary, encrypted_content: part.seal.value.slice(space + 1) })
    } else content.push(contentFor(part, turn.role))
  }
  flush()
  return items
}

function outputFor(part: Extract<MessagePart, { kind: 'result' }>): unknown {
  if (part.parts.every((inner) => inner.kind === 'text')) return formatResultText(part.parts, part.isError)
  return part.parts.map((inner) => contentFor(inner, 'user'))
}

function contentFor(part: Exclude<MessagePart, { kind: 'call' | 'result' | 'thinking' }>, role: ConversationTurn['role']): Raw {
  if (part.kind === 'text') return { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text }
  return role === 'user' ? mediaFor(part) : rejectField(part.at)
}

function mediaFor(part: MediaPart): Raw {
  if (part.kind === 'image') return { type: 'input_image', image_url: formatMediaUrl(part), detail: part.detail ?? 'auto' }
  if (part.kind === 'audio') return rejectField(part.at, 'holds audio, which this model does not take')
  return part.url === undefined
    ? { type: 'input_file', filename: part.name ?? 'document.pdf', file_data: formatMediaUrl(part) }
    : { type: 'input_file', file_url: part.url }
}
