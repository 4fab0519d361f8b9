import type { Raw } from '../usage.ts'
import type { Ask, Choice, MediaPart, Part, TextPart, Thinking, Turn } from './form.ts'
import { cannot, parsedArgs, plainDetail, refuse } from './reading.ts'

/** A version that still takes sampling settings (wire.md, section 6). */
export const MESSAGES_VERSION = '2023-06-01'

const DIALECT = 'anthropic-messages'

export function writeMessagesAsk(ask: Ask, model: string, mostOutput: number): Raw {
  cannot(ask.settings, ask.at, 'seed', 'presencePenalty', 'frequencyPenalty')
  if (ask.format?.kind === 'json') refuse(ask.at.format, 'needs a schema for this model')
  const effort = effortOf(ask.thinking)
  const format = ask.format?.kind === 'schema' ? { type: 'json_schema', schema: ask.format.schema } : undefined
  return {
    model,
    // The vendor demands a cap; the others do without.
    max_tokens: ask.maxTokens ?? mostOutput + (ask.thinking?.budget ?? 0),
    stream: ask.stream || undefined,
    system: ask.system.length === 0 ? undefined : ask.system.map(textBlock),
    messages: ask.turns.map(messageOf),
    temperature: withinOne(ask),
    top_p: ask.settings.topP,
    top_k: ask.settings.topK,
    stop_sequences: ask.stops.length === 0 ? undefined : ask.stops,
    tools:
      ask.tools.length === 0
        ? undefined
        : ask.tools.map((tool) => ({
            name: tool.name,
            description: tool.description,
            input_schema: tool.schema['type'] === undefined ? { type: 'object', ...tool.schema } : tool.schema,
            strict: tool.strict === true ? true : undefined,
            cache_control: tool.cache,
          })),
    tool_choice: ask.tools.length === 0 ? undefined : choiceFor(ask.choice, ask.parallel, ask.at.choice),
    thinking: thinkingFor(ask.thinking),
    output_config: effort === undefined && format === undefined ? undefined : { effort, format },
  }
}

/** Elsewhere temperatures go up to 2; here a higher one than 1 cannot be said. */
function withinOne(ask: Ask): number | undefined {
  const { temperature } = ask.settings
  return temperature !== undefined && temperature > 1 ? refuse(ask.at.temperature, 'can be 1 at most for this model') : temperature
}

function effortOf(thinking: Thinking | undefined): string | undefined {
  const effort = thinking?.effort
  if (effort === undefined || effort === 'none') return undefined
  return effort === 'minimal' ? 'low' : effort
}

function thinkingFor(thinking: Thinking | undefined): Raw | undefined {
  if (thinking === undefined) return undefined
  if (thinking.effort === 'none') return { type: 'disabled' }
  if (thinking.budget !== undefined && thinking.budget >= 1_024) return { type: 'enabled', budget_tokens: thinking.budget }
  return { type: 'adaptive', display: thinking.shown ? 'summarized' : 'omitted' }
}

function choiceFor(choice: Choice | undefined, parallel: boolean | undefined, at: string): Raw | undefined {
  const single = parallel === false ? { disable_parallel_tool_use: true } : {}
  if (choice === undefined) return parallel === false ? { type: 'auto', ...single } : undefined
  if (choice.mode === 'none') return { type: 'none' }
  if (choice.names.length > 1 || (choice.names.length === 1 && choice.mode === 'auto')) return refuse(at, 'can name one tool, to be called, for this model')
  if (choice.names.length === 1) return { type: 'tool', name: choice.names[0], ...single }
  return { type: choice.mode === 'required' ? 'any' : 'auto', ...single }
}

/** Results of tools stand first, as the vendor demands. */
function messageOf(turn: Turn): Raw {
  if (turn.role === 'system') return refuse(turn.at, 'can only be a system message before the others for this model')
  const parts = turn.role === 'user' ? turn.parts.toSorted((a, b) => Number(b.kind === 'result') - Number(a.kind === 'result')) : turn.parts
  return { role: turn.role, content: parts.flatMap((part) => blockOf(part, turn.role)) }
}

function textBlock(part: TextPart): Raw {
  return { type: 'text', text: part.text, cache_control: part.cache }
}

function blockOf(part: Part, role: Turn['role']): Raw[] {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? [] : [textBlock(part)]
    case 'call':
      return [{ type: 'tool_use', id: idFor(part.id), name: part.name, input: parsedArgs(part.args), cache_control: part.cache }]
    case 'result':
      return [
        {
          type: 'tool_result',
          tool_use_id: idFor(part.id),
          content: part.parts.flatMap((inner) => blockOf(inner, role)),
          is_error: part.isError || undefined,
          cache_control: part.cache,
        },
      ]
    case 'thinking':
      // Thoughts of another model prove nothing here: they stay behind (README).
      if (part.seal?.from !== DIALECT) return []
      return part.seal.kind === 'redacted'
        ? [{ type: 'redacted_thinking', data: part.seal.value }]
        : [{ type: 'thinking', thinking: part.text, signature: part.seal.value }]
    default:
      return role === 'user' ? [mediaBlock(part)] : refuse(part.at)
  }
}

/** Ids of other vendors may hold what this one refuses. The same on call and result, so they still meet. */
function idFor(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_')
}

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function mediaBlock(part: MediaPart): Raw {
  plainDetail(part)
  if (part.kind === 'audio') return refuse(part.at, 'holds audio, which this model does not take')
  const source = part.url === undefined ? { type: 'base64', media_type: part.mime, data: part.data } : { type: 'url', url: part.url }
  if (part.kind === 'image') {
    if (part.url === undefined && !PICTURES.has(part.mime)) refuse(part.at, 'must be PNG, JPEG, GIF or WebP for this model')
    return { type: 'image', source, cache_control: part.cache }
  }
  if (part.mime === 'text/plain' && part.data !== undefined) {
    const data = Buffer.from(part.data, 'base64').toString()
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data }, title: part.name, cache_control: part.cache }
  }
  if (part.url === undefined && part.mime !== 'application/pdf') refuse(part.at, 'must be a PDF for this model')
  return { type: 'document', source, title: part.name, cache_control: part.cache }
}
