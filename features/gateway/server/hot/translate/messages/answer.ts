import { anthropicUsage } from '../../dialects/anthropic/messages.ts'
import { isRaw, totalOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { Answer, AnswerHead, Said, Seal, Stop, StreamReader, StreamWriter } from '../form.ts'
import { list, obj, parsedArgs, shownSeal, str, uncarry } from '../reading.ts'
import { signedId } from '../signed-id.ts'

const DIALECT = 'anthropic-messages'
const STOPS: Readonly<Record<string, Stop>> = {
  end_turn: 'end',
  pause_turn: 'end',
  max_tokens: 'length',
  stop_sequence: 'stop-sequence',
  tool_use: 'tools',
  refusal: 'refusal',
  model_context_window_exceeded: 'context',
}
const REASONS: Readonly<Record<Stop, string>> = {
  'end': 'end_turn',
  'length': 'max_tokens',
  'stop-sequence': 'stop_sequence',
  'tools': 'tool_use',
  'refusal': 'refusal',
  'context': 'model_context_window_exceeded',
}

function stopSaid(holder: Raw): Said[] {
  const reason = str(holder['stop_reason'])
  return reason === '' ? [] : [{ kind: 'stop', stop: STOPS[reason] ?? 'end', sequence: str(holder['stop_sequence']) || undefined }]
}

function usageSaid(raw: Raw): Said[] {
  const usage = anthropicUsage(raw)
  return usage === undefined ? [] : [{ kind: 'usage', usage }]
}

const sealed = (value: string, kind: Seal['kind']): Said[] => (value === '' ? [] : [{ kind: 'seal', seal: uncarry(value, DIALECT, kind) }])
const text = (kind: 'text' | 'thinking', value: unknown): Said[] => (str(value) === '' ? [] : [{ kind, text: str(value) }])

function begun(block: Raw): Said[] {
  switch (block['type']) {
    case 'text':
      return text('text', block['text'])
    case 'thinking':
      return text('thinking', block['thinking'])
    case 'redacted_thinking':
      return sealed(str(block['data']), 'redacted')
    case 'tool_use':
      return [{ kind: 'call', id: str(block['id']), name: str(block['name']), seal: undefined }]
    default:
      return []
  }
}

export function readMessagesAnswer(body: Raw): readonly Said[] {
  const blocks = list(body['content']).flatMap((block): Said[] => [
    ...begun(block),
    ...(block['type'] === 'thinking' ? sealed(str(block['signature']), 'signature') : []),
    ...(block['type'] === 'tool_use' ? [{ kind: 'args' as const, text: JSON.stringify(block['input'] ?? {}) }] : []),
  ])
  return [...blocks, ...stopSaid(body), ...usageSaid(obj(body['usage']))]
}

export function readMessagesStream(): StreamReader {
  let usage: Raw = {}
  let empty = false
  return (event) => {
    switch (event['type']) {
      case 'message_start':
        usage = obj(obj(event['message'])['usage'])
        return []
      case 'content_block_start': {
        const block = obj(event['content_block'])
        empty = block['type'] === 'tool_use'
        return begun(block)
      }
      case 'content_block_delta': {
        const delta = obj(event['delta'])
        const args = str(delta['partial_json'])
        if (args !== '') {
          empty = false
          return [{ kind: 'args', text: args }]
        }
        return [...text('text', delta['text']), ...text('thinking', delta['thinking']), ...sealed(str(delta['signature']), 'signature')]
      }
      case 'content_block_stop': {
        // A call without arguments streams none; elsewhere arguments are always JSON.
        const wasEmpty = empty
        empty = false
        return wasEmpty ? [{ kind: 'args', text: '{}' }] : []
      }
      case 'message_delta':
        usage = { ...usage, ...Object.fromEntries(Object.entries(obj(event['usage'])).filter(([, value]) => value !== null)) }
        return [...stopSaid(obj(event['delta'])), ...usageSaid(usage)]
      case 'error':
        return [{ kind: 'error', message: str(obj(event['error'])['message']) }]
      default:
        return isRaw(event['error']) ? [{ kind: 'error', message: str(event['error']['message']) }] : []
    }
  }
}

function messagesUsage(usage: Usage | undefined): Raw {
  return {
    input_tokens: usage === undefined ? 0 : usage.input + usage.audioInput + usage.imageInput,
    cache_creation_input_tokens: usage === undefined ? 0 : usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage?.cachedInput ?? 0,
    output_tokens: usage === undefined ? 0 : totalOutput(usage),
    output_tokens_details: { thinking_tokens: usage?.reasoning ?? 0 },
    service_tier: 'standard',
  }
}

const shell = (head: AnswerHead): Raw => ({ id: `msg_${head.id}`, type: 'message', role: 'assistant', model: head.model })
const thought = (value: string, seal: Seal | undefined): Raw =>
  seal?.kind === 'redacted' && seal.from === DIALECT
    ? { type: 'redacted_thinking', data: seal.value }
    : { type: 'thinking', thinking: value, signature: seal === undefined ? '' : shownSeal(seal, DIALECT) }

const toolUse = (id: string, name: string, input: Raw): Raw => ({ type: 'tool_use', id, name, input })

export function writeMessagesAnswer(answer: Answer, head: AnswerHead): Raw {
  const content = answer.parts.flatMap((part, at): Raw[] => {
    // Thinking after the text would hide it: clients take the last block for the answer.
    if (part.kind === 'thinking' && part.ofText === true) return []
    if (part.kind === 'call' && head.hidesThinking === true)
      return [toolUse(part.seal === undefined ? part.id : signedId(part.id, part.seal), part.name, parsedArgs(part.args))]
    if (part.kind === 'thinking') {
      // The signature of a call that follows has no other place.
      const next = answer.parts[at + 1]
      return [thought(part.text, part.seal ?? (next?.kind === 'call' && head.hidesThinking !== true ? next.seal : undefined))]
    }
    if (part.kind !== 'call') return [{ type: 'text', text: part.text, citations: null }]
    const before = answer.parts[at - 1]
    const alone = part.seal !== undefined && !(before?.kind === 'thinking' && before.seal === undefined)
    return [...(alone ? [thought('', part.seal)] : []), toolUse(part.id, part.name, parsedArgs(part.args))]
  })
  return { ...shell(head), content, stop_reason: REASONS[answer.stop], stop_sequence: answer.sequence ?? null, usage: messagesUsage(answer.usage) }
}

const event = (data: Raw): string => `event: ${str(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`

export function writeMessagesStream(head: AnswerHead): StreamWriter {
  let index = -1
  let open: 'text' | 'thinking' | 'tool_use' | undefined
  let started = false
  let usage: Usage | undefined
  let stop: Stop = 'end'
  let sequence: string | undefined
  const start = (): string => {
    if (started) return ''
    started = true
    return event({
      type: 'message_start',
      message: {
        ...shell(head),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...messagesUsage(undefined), input_tokens: head.inputTokens ?? 0 },
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
    const opened = open === kind ? '' : begin(kind, kind === 'text' ? { type: 'text', text: '', citations: null } : thought('', undefined))
    return opened + delta(kind === 'text' ? { type: 'text_delta', text: value } : { type: 'thinking_delta', thinking: value })
  }
  const seal = (it: Seal): string => {
    if (it.kind === 'redacted' && it.from === DIALECT) return begin('thinking', thought('', it)) + close()
    const opened = open === 'thinking' ? '' : begin('thinking', thought('', undefined))
    return opened + delta({ type: 'signature_delta', signature: shownSeal(it, DIALECT) }) + close()
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
          if (head.hidesThinking === true) return begin('tool_use', toolUse(signedId(said.id, said.seal), said.name, {}))
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
      const closing = { type: 'message_delta', delta: { stop_reason: REASONS[stop], stop_sequence: sequence ?? null }, usage: messagesUsage(usage) }
      return start() + close() + event(closing) + event({ type: 'message_stop' })
    },
    fail: (message) => event({ type: 'error', error: { type: 'api_error', message } }),
  }
}
