import { parseAnthropicUsage } from '../../dialects/anthropic/messages.ts'
import { isRaw, sumOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { NeutralAnswer, AnswerHead, AnswerEvent, Seal, StopReason, StreamReader, StreamWriter } from '../form.ts'
import { toObjectList, toObjectOrEmpty, parseCallArguments, formatSeal, toTextOrEmpty, unwrapSeal } from '../reading.ts'
import { signCallId } from '../signed-id.ts'

const DIALECT = 'anthropic-messages'
const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  pause_turn: 'end',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tools',
  refusal: 'refusal',
  model_context_window_exceeded: 'context',
}
const REASONS: Readonly<Record<StopReason, string>> = {
  'end': 'end_turn',
  'length': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tools': 'tool_use',
  'refusal': 'refusal',
  'context': 'model_context_window_exceeded',
}

function readStopEvents(holder: Raw): AnswerEvent[] {
  const reason = toTextOrEmpty(holder['stop_reason'])
  return reason === '' ? [] : [{ kind: 'stop', stop: STOPS[reason] ?? 'end', sequence: toTextOrEmpty(holder['stop_sequence']) || undefined }]
}

function readUsageEvents(raw: Raw): AnswerEvent[] {
  const usage = parseAnthropicUsage(raw)
  return usage === undefined ? [] : [{ kind: 'usage', usage }]
}

const readSealEvents = (value: string, kind: Seal['kind']): AnswerEvent[] => (value === '' ? [] : [{ kind: 'seal', seal: unwrapSeal(value, DIALECT, kind) }])
const readTextEvents = (kind: 'text' | 'thinking', value: unknown): AnswerEvent[] => (toTextOrEmpty(value) === '' ? [] : [{ kind, text: toTextOrEmpty(value) }])

function readBlockStart(block: Raw): AnswerEvent[] {
  switch (block['type']) {
    case 'text':
      return readTextEvents('text', block['text'])
    case 'thinking':
      return readTextEvents('thinking', block['thinking'])
    case 'redacted_thinking':
      return readSealEvents(toTextOrEmpty(block['data']), 'redacted')
    case 'tool_use':
      return [{ kind: 'call', id: toTextOrEmpty(block['id']), name: toTextOrEmpty(block['name']), seal: undefined }]
    default:
      return []
  }
}

export function readMessagesAnswer(body: Raw): readonly AnswerEvent[] {
  const blocks = toObjectList(body['content']).flatMap((block): AnswerEvent[] => [
    ...readBlockStart(block),
    ...(block['type'] === 'thinking' ? readSealEvents(toTextOrEmpty(block['signature']), 'signature') : []),
    ...(block['type'] === 'tool_use' ? [{ kind: 'args' as const, text: JSON.stringify(block['input'] ?? {}) }] : []),
  ])
  return [...blocks, ...readStopEvents(body), ...readUsageEvents(toObjectOrEmpty(body['usage']))]
}

export function readMessagesStream(): StreamReader {
  let usage: Raw = {}
  let empty = false
  return (event) => {
    switch (event['type']) {
      case 'message_start':
        usage = toObjectOrEmpty(toObjectOrEmpty(event['message'])['usage'])
        return []
      case 'content_block_start': {
        const block = toObjectOrEmpty(event['content_block'])
        empty = block['type'] === 'tool_use'
        return readBlockStart(block)
      }
      case 'content_block_delta': {
        const delta = toObjectOrEmpty(event['delta'])
        const args = toTextOrEmpty(delta['partial_json'])
        if (args !== '') {
          empty = false
          return [{ kind: 'args', text: args }]
        }
        return [
          ...readTextEvents('text', delta['text']),
          ...readTextEvents('thinking', delta['thinking']),
          ...readSealEvents(toTextOrEmpty(delta['signature']), 'signature'),
        ]
      }
      case 'content_block_stop': {
        // A call without arguments streams none; elsewhere arguments are always JSON.
        const wasEmpty = empty
        empty = false
        return wasEmpty ? [{ kind: 'args', text: '{}' }] : []
      }
      case 'message_delta':
        usage = { ...usage, ...Object.fromEntries(Object.entries(toObjectOrEmpty(event['usage'])).filter(([, value]) => value !== null)) }
        return [...readStopEvents(toObjectOrEmpty(event['delta'])), ...readUsageEvents(usage)]
      case 'error':
        return [{ kind: 'error', message: toTextOrEmpty(toObjectOrEmpty(event['error'])['message']) }]
      default:
        return isRaw(event['error']) ? [{ kind: 'error', message: toTextOrEmpty(event['error']['message']) }] : []
    }
  }
}

/** Usage of a `message_delta` event; that of a message has four fields more. */
const writeDeltaUsage = (usage: Usage | undefined): Raw => ({
  input_tokens: usage === undefined ? 0 : usage.input + usage.audioInput + usage.imageInput,
  cache_creation_input_tokens: usage === undefined ? 0 : usage.cacheWrite5m + usage.cacheWrite1h,
  cache_read_input_tokens: usage?.cachedInput ?? 0,
  output_tokens: usage === undefined ? 0 : sumOutput(usage),
  output_tokens_details: { thinking_tokens: usage?.reasoning ?? 0 },
  server_tool_use: null,
})

const writeMessagesUsage = (usage: Usage | undefined): Raw => ({
  ...writeDeltaUsage(usage),
  cache_creation: { ephemeral_5m_input_tokens: usage?.cacheWrite5m ?? 0, ephemeral_1h_input_tokens: usage?.cacheWrite1h ?? 0 },
  service_tier: 'standard',
  inference_geo: null,
  speed: null,
})

const shell = (head: AnswerHead): Raw => ({ id: `msg_${head.id}`, type: 'message', role: 'assistant', model: head.model, container: null, diagnostics: null })
const writeStop = (reason: string | null, sequence: string | null): Raw => ({ stop_reason: reason, stop_sequence: sequence, stop_details: null })
const writeThinkingBlock = (value: string, seal: Seal | undefined): Raw =>
  seal?.kind === 'redacted' && seal.from === DIALECT
    ? { type: 'redacted_thinking', data: seal.value }
    : { type: 'thinking', thinking: value, signature: seal === undefined ? '' : formatSeal(seal, DIALECT) }

const toolUse = (id: string, name: string, input: Raw): Raw => ({ type: 'tool_use', id, name, input, caller: { type: 'direct' } })

export function writeMessagesAnswer(answer: NeutralAnswer, head: AnswerHead): Raw {
  const content = answer.parts.flatMap((part, at): Raw[] => {
    // Thinking after the text would hide the text: clients take the last block for the answer.
    if (part.kind === 'thinking' && part.ofText === true) return []
    if (part.kind === 'call' && head.hidesThinking === true)
      return [toolUse(part.seal === undefined ? part.id : signCallId(part.id, part.seal), part.name, parseCallArguments(part.args))]
    if (part.kind === 'thinking') {
      // The signature of a following call has no other place.
      const next = answer.parts[at + 1]
      return [writeThinkingBlock(part.text, part.seal ?? (next?.kind === 'call' && head.hidesThinking !== true ? next.seal : undefined))]
    }
    if (part.kind !== 'call') return [{ type: 'text', text: part.text }]
    const before = answer.parts[at - 1]
    const alone = part.seal !== undefined && !(before?.kind === 'thinking' && before.seal === undefined)
    return [...(alone ? [writeThinkingBlock('', part.seal)] : []), toolUse(part.id, part.name, parseCallArguments(part.args))]
  })
  return { ...shell(head), content, ...writeStop(REASONS[answer.stop], answer.sequence ?? null), usage: writeMessagesUsage(answer.usage) }
}

const event = (data: Raw): string => `event: ${toTextOrEmpty(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`

export function writeMessagesStream(head: AnswerHead): StreamWriter {
  let index = -1
  let open: 'text' | 'thinking' | 'tool_use' | undefined
  let started = false
  let usage: Usage | undefined
  let stop: StopReason = 'end'
  let sequence: string | undefined
  const start = (): string => {
    if (started) return ''
    started = true
    return event({
      type: 'message_start',
      message: {
        ...shell(head),
        content: [],
        ...writeStop(null, null),
        usage: { ...writeMessagesUsage(undefined), input_tokens: head.inputTokens ?? 0 },
      },
    })
  }
  const close = (): string => {
    if (open === undefined) return ''
    open = undefined
    return event({ type: 'content_block_stop', index })
  }
  const begin = (kind: NonNullable<typeof open>, block: Raw): string => {
    const before = start() + close()
    index++
    open = kind
    return before + event({ type: 'content_block_start', index, content_block: block })
  }
  const delta = (it: Raw): string => event({ type: 'content_block_delta', index, delta: it })
  const speak = (kind: 'text' | 'thinking', value: string): string => {
    const opened = open === kind ? '' : begin(kind, kind === 'text' ? { type: 'text', text: '' } : writeThinkingBlock('', undefined))
    return opened + delta(kind === 'text' ? { type: 'text_delta', text: value } : { type: 'thinking_delta', thinking: value })
  }
  const seal = (it: Seal): string => {
    if (it.kind === 'redacted' && it.from === DIALECT) return begin('thinking', writeThinkingBlock('', it)) + close()
    const opened = open === 'thinking' ? '' : begin('thinking', writeThinkingBlock('', undefined))
    return opened + delta({ type: 'signature_delta', signature: formatSeal(it, DIALECT) }) + close()
  }
  return {
    said(said) {
      switch (said.kind) {
        case 'text':
        case 'refusal':
          return speak('text', said.text)
        case 'thinking':
          return speak('thinking', said.text)
        case 'seal':
          return said.ofText === true ? '' : seal(said.seal)
        case 'call':
          if (said.seal === undefined) return begin('tool_use', toolUse(said.id, said.name, {}))
          if (head.hidesThinking === true) return begin('tool_use', toolUse(signCallId(said.id, said.seal), said.name, {}))
          return seal(said.seal) + begin('tool_use', toolUse(said.id, said.name, {}))
        case 'args':
          return delta({ type: 'input_json_delta', partial_json: said.text })
        case 'stop':
          stop = said.stop
          sequence = said.sequence
          return ''
        case 'usage':
          usage = said.usage
          return ''
        default:
          return ''
      }
    },
    end() {
      const closing = { type: 'message_delta', delta: { container: null, ...writeStop(REASONS[stop], sequence ?? null) }, usage: writeDeltaUsage(usage) }
      return start() + close() + event(closing) + event({ type: 'message_stop' })
    },
    fail: (message) => event({ type: 'error', error: { type: 'api_error', message } }),
  }
}
