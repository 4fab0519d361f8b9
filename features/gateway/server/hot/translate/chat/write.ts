import type { Raw } from '../../usage/usage.ts'
import type { WriteTarget, NeutralRequest, ToolChoice, Effort, Format, MediaPart, MessagePart, MessageTextPart, Thinking, ConversationTurn } from '../form.ts'
import { joinTextParts, dropSettings, rejectField } from '../reading.ts'

export function writeChatRequest(ask: NeutralRequest, { model, traits }: WriteTarget): Raw {
  dropSettings(ask.settings, ask.at, 'topK')
  return {
    model,
    messages: [...(ask.system.length === 0 ? [] : [{ role: 'system', content: joinTextParts(ask.system) }]), ...ask.turns.flatMap(messagesOf)],
    ...(ask.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
    max_completion_tokens: ask.maxTokens,
    temperature: ask.settings.temperature,
    top_p: ask.settings.topP,
    seed: ask.settings.seed,
    presence_penalty: ask.settings.presencePenalty,
    frequency_penalty: ask.settings.frequencyPenalty,
    stop: ask.stops.length === 0 ? undefined : ask.stops.length <= 4 ? ask.stops : rejectField(ask.at.stops, 'can hold four sequences at most for this model'),
    tools:
      ask.tools.length === 0
        ? undefined
        : ask.tools.map((tool) => ({
            type: 'function',
            function: { name: tool.name, description: tool.description, parameters: tool.schema, strict: tool.strict },
          })),
    tool_choice: writeToolChoice(ask.choice, true),
    parallel_tool_calls: ask.tools.length === 0 ? undefined : ask.parallel,
    response_format: formatFor(ask.format),
    reasoning_effort: resolveEffort(ask.thinking, traits),
    verbosity: ask.verbosity === 'medium' ? undefined : ask.verbosity,
    n: ask.copies === 1 ? undefined : ask.copies,
    logprobs: ask.logprobs && true,
    top_logprobs: ask.logprobs?.top,
  }
}

function formatFor(format: Format | undefined): Raw | undefined {
  if (format === undefined) return undefined
  if (format.kind === 'json') return { type: 'json_object' }
  return { type: 'json_schema', json_schema: { name: format.name ?? 'answer', schema: format.schema, strict: format.strict } }
}

/** Maps a budget to the nearest effort. */
export function resolveEffort(thinking: Thinking | undefined, traits: WriteTarget['traits']): Effort | undefined {
  if (thinking === undefined) return undefined
  if (thinking.effort !== undefined) return thinking.effort === 'max' && !traits.has('max-effort') ? 'xhigh' : thinking.effort
  return thinking.budget === undefined ? undefined : convertBudgetToEffort(thinking.budget)
}

export function convertBudgetToEffort(budget: number): Effort {
  return budget <= 2_048 ? 'low' : budget <= 12_288 ? 'medium' : 'high'
}

/** Sends only the allowed tools if the upstream takes no list of allowed ones. */
export function filterAllowedTools(ask: NeutralRequest): Pick<NeutralRequest, 'tools' | 'choice'> {
  const { tools, choice } = ask
  if (choice === undefined || choice.names.length === 0 || (choice.names.length === 1 && choice.mode === 'required')) return { tools, choice }
  return { tools: tools.filter((tool) => choice.names.includes(tool.name)), choice: { ...choice, names: [] } }
}

export function writeToolChoice(choice: ToolChoice | undefined, nested: boolean): unknown {
  if (choice === undefined) return undefined
  if (choice.names.length === 0) return choice.mode
  const named = (name: string): Raw => (nested ? { type: 'function', function: { name } } : { type: 'function', name })
  if (choice.mode === 'required' && choice.names.length === 1) return named(choice.names[0]!)
  const allowed = { mode: choice.mode, tools: choice.names.map(named) }
  return nested ? { type: 'allowed_tools', allowed_tools: allowed } : { type: 'allowed_tools', ...allowed }
}

/** Results first, each as a separate message, as the vendor requires; thoughts of other models are dropped (README). */
function messagesOf(turn: ConversationTurn): Raw[] {
  const results = turn.parts.filter((part) => part.kind === 'result')
  const content = turn.parts.filter((part) => part.kind !== 'result' && part.kind !== 'call' && part.kind !== 'thinking')
  const calls = turn.parts.filter((part) => part.kind === 'call')
  const messages: Raw[] = results.map((part) => ({
    role: 'tool',
    tool_call_id: part.id,
    content: formatResultText(part.parts, part.isError),
  }))
  if (content.length > 0 || calls.length > 0 || results.length === 0) {
    messages.push({
      role: turn.role,
      content: content.length === 0 ? (calls.length > 0 ? null : '') : contentFor(content, turn.role),
      tool_calls:
        calls.length === 0 ? undefined : calls.map((part) => ({ id: part.id, type: 'function', function: { name: part.name, arguments: part.args } })),
    })
  }
  return messages
}

/** There is no flag for a failed tool, so the text reports it. */
export function formatResultText(parts: readonly (MessageTextPart | MediaPart)[], isError: boolean): string {
  const said = joinTextParts(parts.map((part) => (part.kind === 'text' ? part : rejectField(part.at))))
  return isError && !/^error\b/i.test(said) ? `Error: ${said}` : said
}

function contentFor(parts: readonly MessagePart[], role: ConversationTurn['role']): unknown {
  const written = parts.filter((part) => part.kind === 'text')
  if (written.length === parts.length && (parts.length === 1 || role !== 'user')) return joinTextParts(written)
  return parts.map((part) => {
    if (part.kind === 'text') return { type: 'text', text: part.text }
    if (role !== 'user') return rejectField(part.at)
    return part.kind === 'result' || part.kind === 'call' || part.kind === 'thinking' ? rejectField(part.at) : mediaFor(part)
  })
}

function mediaFor(part: MediaPart): Raw {
  if (part.kind === 'image') return { type: 'image_url', image_url: { url: formatMediaUrl(part), detail: part.detail } }
  if (part.data === undefined) return rejectField(part.at, 'must be sent inline for this model')
  if (part.kind === 'document') return { type: 'file', file: { filename: part.name ?? 'document.pdf', file_data: formatMediaUrl(part) } }
  const format = part.mime === 'audio/mpeg' || part.mime === 'audio/mp3' ? 'mp3' : part.mime === 'audio/wav' || part.mime === 'audio/x-wav' ? 'wav' : undefined
  return { type: 'input_audio', input_audio: { data: part.data, format: format ?? rejectField(part.at, 'must be WAV or MP3 for this model') } }
}

export function formatMediaUrl(part: MediaPart): string {
  return part.url ?? `data:${part.mime};base64,${part.data}`
}
