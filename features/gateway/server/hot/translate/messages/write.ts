import type { Raw } from '../../usage/usage.ts'
import { filterAllowedTools, convertBudgetToEffort } from '../chat/write.ts'
import { dropField } from '../dropped.ts'
import type { WriteTarget, NeutralRequest, ToolChoice, MediaPart, MessagePart, MessageTextPart, Thinking, ConversationTurn } from '../form.ts'
import { hoistSystemTurns } from '../hoist.ts'
import { JSON_INSTRUCTION } from '../json-mode.ts'
import { rejectLogprobs, requireOneAnswer } from '../logprobs.ts'
import { dropSettings, dropVerbosity, parseCallArguments, dropDetail, rejectField } from '../reading.ts'

/** A version that still accepts sampling settings (wire.md 6). */
export const MESSAGES_VERSION = '2023-06-01'

const DIALECT = 'anthropic-messages'

export function writeMessagesRequest(ask: NeutralRequest, { model, mostOutput, traits }: WriteTarget): Raw {
  requireOneAnswer(ask.copies, ask.at.copies)
  rejectLogprobs(ask.logprobs, ask.at.logprobs)
  dropSettings(ask.settings, ask.at, 'seed', 'presencePenalty', 'frequencyPenalty')
  dropVerbosity(ask)
  const { tools, choice } = filterAllowedTools(ask)
  const cap = ask.maxTokens ?? mostOutput
  const thinking = thinkingFor(ask, cap, traits)
  const effort = thinking?.['type'] === 'enabled' || traits.has('thinks-by-budget') ? undefined : effortOf(ask.thinking)
  const { system: said, turns } = hoistSystemTurns(ask, (before, after) => traits.has('system-turns') && before?.role === 'user' && after?.role !== 'user')
  // No JSON mode without a schema: instruct the model and enforce it on the answer (json-mode.ts).
  const system = ask.format?.kind === 'json' ? [...said, { kind: 'text' as const, text: JSON_INSTRUCTION, at: ask.at.format }] : said
  const format = ask.format?.kind === 'schema' ? { type: 'json_schema', schema: ask.format.schema } : undefined
  return {
    model,
    // The vendor requires a cap, the others do not: use the model's maximum.
    max_tokens: cap,
    stream: ask.stream || undefined,
    cache_control: ask.cache ?? (isPrefixCacheable(ask) ? { type: 'ephemeral' } : undefined),
    system: system.length === 0 ? undefined : system.filter(hasVisibleText).map(textBlock),
    messages: messagesOf(turns),
    temperature: clampTemperature(ask),
    top_p: ask.settings.topP,
    top_k: ask.settings.topK,
    stop_sequences: listStops(ask),
    tools:
      tools.length === 0
        ? undefined
        : tools.map((tool) => ({
            name: tool.name,
            description: tool.description,
            input_schema: tool.schema['type'] === undefined ? { type: 'object', ...tool.schema } : tool.schema,
            strict: tool.strict === true ? true : undefined,
            cache_control: tool.cache,
          })),
    tool_choice: tools.length === 0 ? undefined : choiceFor(choice, ask.parallel),
    thinking,
    output_config: effort === undefined && format === undefined ? undefined : { effort, format },
  }
}

/**
 * True if the beginning should be cached. The callers' own APIs cache automatically, this one on request. A conversation with tools
 * or earlier turns will continue, and its next turn reads the cache; a single question would only pay for the write. The caller's
 * own marks take precedence.
 */
function isPrefixCacheable(ask: NeutralRequest): boolean {
  const isMarked = (parts: readonly MessagePart[]): boolean => parts.some((part) => 'cache' in part && part.cache !== undefined)
  if (isMarked(ask.system) || ask.tools.some((tool) => tool.cache !== undefined) || ask.turns.some((turn) => isMarked(turn.parts))) return false
  return ask.tools.length > 0 || ask.turns.some((turn) => turn.role === 'assistant')
}

/** Other vendors accept temperatures up to 2; the maximum here is 1. */
function clampTemperature(ask: NeutralRequest): number | undefined {
  const { temperature } = ask.settings
  if (temperature === undefined || temperature <= 1) return temperature
  dropField(ask.at.temperature)
  return undefined
}

/** The vendor refuses stop sequences that consist only of blanks. */
function listStops(ask: NeutralRequest): readonly string[] | undefined {
  const stops = ask.stops.filter((stop) => stop.trim() !== '')
  if (stops.length < ask.stops.length) dropField(ask.at.stops)
  return stops.length === 0 ? undefined : stops
}

function effortOf(thinking: Thinking | undefined): string | undefined {
  const effort = thinking?.effort ?? (thinking?.budget === undefined ? undefined : convertBudgetToEffort(thinking.budget))
  if (effort === undefined || effort === 'none') return undefined
  return effort === 'minimal' ? 'low' : effort
}

/** Tokens by effort, for models without efforts; they accept at least 1,024. */
const BUDGETS = { minimal: 1_024, low: 2_048, medium: 8_192, high: 16_384, xhigh: 24_576, max: 31_999 } as const
const MIN_BUDGET_TOKENS = 1_024

/**
 * Models up to 4.5 take only budgets, those since 4.6 efforts (and refuse budgets since 4.7).
 * https://docs.claude.com/en/docs/build-with-claude/adaptive-thinking
 */
function thinkingFor(ask: NeutralRequest, cap: number, traits: WriteTarget['traits']): Raw | undefined {
  const { thinking } = ask
  if (thinking === undefined) return undefined
  if (thinking.effort === 'none') {
    if (traits.has('always-thinks')) dropField(ask.at.thinking)
    if (traits.has('always-thinks')) return undefined
    return traits.has('thinks-unless-told') ? { type: 'disabled' } : undefined
  }
  if (!traits.has('thinks-by-budget')) return { type: 'adaptive', display: thinking.shown ? 'summarized' : 'omitted' }
  // The cap covers thoughts and answer. A cap without room for thoughts takes precedence over thinking.
  const wanted = thinking.budget ?? BUDGETS[thinking.effort ?? 'medium']
  return cap <= MIN_BUDGET_TOKENS ? undefined : { type: 'enabled', budget_tokens: Math.min(Math.max(wanted, MIN_BUDGET_TOKENS), cap - 1) }
}

function choiceFor(choice: ToolChoice | undefined, parallel: boolean | undefined): Raw | undefined {
  const single = parallel === false ? { disable_parallel_tool_use: true } : {}
  if (choice === undefined) return parallel === false ? { type: 'auto', ...single } : undefined
  if (choice.mode === 'none') return { type: 'none' }
  if (choice.names.length === 1) return { type: 'tool', name: choice.names[0], ...single }
  return { type: choice.mode === 'required' ? 'any' : 'auto', ...single }
}

/** The vendor refuses messages without content, requires the user's first, and refuses a last message that ends in blanks. */
function messagesOf(turns: readonly ConversationTurn[]): Raw[] {
  const messages: { role: string; content: Raw[] }[] = []
  for (const turn of turns) {
    const { role, content } = messageOf(turn)
    const before = messages.at(-1)
    if (content.length === 0) continue
    if (before?.role === role) before.content.push(...content)
    else messages.push({ role, content })
  }
  if (messages[0]?.role !== 'user') messages.unshift({ role: 'user', content: [{ type: 'text', text: PLACEHOLDER_TEXT }] })
  const last = messages.at(-1)!
  const word = last.content.at(-1)!
  if (last.role === 'assistant' && typeof word['text'] === 'string') last.content[last.content.length - 1] = { ...word, text: word['text'].trimEnd() }
  return messages
}
/** User message before a conversation that begins with the answer. */
const PLACEHOLDER_TEXT = '.'
const hasVisibleText = (part: MessageTextPart): boolean => part.text.trim() !== ''

/** Results of tools come first, as the vendor requires. */
function messageOf(turn: ConversationTurn): { readonly role: string; readonly content: Raw[] } {
  const parts = turn.role === 'user' ? turn.parts.toSorted((a, b) => Number(b.kind === 'result') - Number(a.kind === 'result')) : turn.parts
  return { role: turn.role, content: parts.flatMap((part) => blockOf(part, turn.role)) }
}

function textBlock(part: MessageTextPart): Raw {
  return { type: 'text', text: part.text, cache_control: part.cache }
}

function blockOf(part: MessagePart, role: ConversationTurn['role']): Raw[] {
  switch (part.kind) {
    case 'text':
      return hasVisibleText(part) ? [textBlock(part)] : []
    case 'call':
      return [{ type: 'tool_use', id: sanitizeId(part.id), name: part.name, input: parseCallArguments(part.args), cache_control: part.cache }]
    case 'result':
      return [
        {
          type: 'tool_result',
          tool_use_id: sanitizeId(part.id),
          content: part.parts.flatMap((inner) => blockOf(inner, role)),
          is_error: part.isError || undefined,
          cache_control: part.cache,
        },
      ]
    case 'thinking':
      // Thoughts of another model prove nothing here: drop them (README).
      if (part.seal?.from !== DIALECT) return []
      return part.seal.kind === 'redacted'
        ? [{ type: 'redacted_thinking', data: part.seal.value }]
        : [{ type: 'thinking', thinking: part.text, signature: part.seal.value }]
    default:
      return role === 'user' ? [mediaBlock(part)] : rejectField(part.at)
  }
}

/** Ids of other vendors may contain characters that this one refuses. Call and result are converted alike, so they still match. */
function sanitizeId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_')
}

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function mediaBlock(part: MediaPart): Raw {
  dropDetail(part)
  if (part.kind === 'audio') return rejectField(part.at, 'holds audio, which this model does not take')
  const source = part.url === undefined ? { type: 'base64', media_type: part.mime, data: part.data } : { type: 'url', url: part.url }
  if (part.kind === 'image') {
    if (part.url === undefined && !PICTURES.has(part.mime)) rejectField(part.at, 'must be PNG, JPEG, GIF or WebP for this model')
    return { type: 'image', source, cache_control: part.cache }
  }
  if (part.mime === 'text/plain' && part.data !== undefined) {
    const data = Buffer.from(part.data, 'base64').toString()
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: part.name, cache_control: part.cache }
  }
  if (part.url === undefined && part.mime !== 'application/pdf') rejectField(part.at, 'must be a PDF for this model')
  return { type: 'document', source, title: part.name, cache_control: part.cache }
}
