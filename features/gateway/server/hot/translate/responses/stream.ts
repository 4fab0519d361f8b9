import type { Raw, Usage } from '../../usage/usage.ts'
import type { AnswerHead, Logprob, AnswerEvent, Seal, StopReason, StreamWriter } from '../form.ts'
import { writeOpenaiLogprobs } from '../logprobs.ts'
import { toTextOrEmpty } from '../reading.ts'
import { resolveSpacedName } from '../spaces.ts'
import { buildEndedResponse, buildFunctionCall, buildMessageItem, buildReasoningItem, buildResponseShell, buildTextPart } from './objects.ts'
import type { CalledTool } from './objects.ts'

/** The item in progress. */
interface OpenItem {
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  readonly id: string
  readonly call: CalledTool
  readonly logprobs: Logprob[]
  text: string
  seal: Seal | undefined
}

interface StreamState {
  readonly head: AnswerHead
  readonly done: Raw[]
  sequence: number
  open: OpenItem | undefined
  stop: StopReason
  usage: Usage | undefined
}

const NO_CALL: CalledTool = { id: '', names: { name: '' } }
const PREFIXES = { text: 'msg', refusal: 'msg', thinking: 'rs', call: 'fc' } as const

/** Every item is begun, filled, and repeated in full at its end, so an item's text is kept until then. */
export function writeResponsesStream(head: AnswerHead): StreamWriter & { items(): readonly Raw[] } {
  const s: StreamState = { head, done: [], sequence: 0, open: undefined, stop: 'end', usage: undefined }
  return {
    items() {
      closeItem(s)
      return s.done
    },
    said: (said) => writeAnswerEvent(s, said),
    end() {
      const before = startResponse(s) + closeItem(s)
      const response = buildEndedResponse(head, s.stop, s.done, s.usage)
      return before + event(s, `response.${toTextOrEmpty(response['status'])}`, { response })
    },
    fail(text) {
      const error = { type: 'server_error', code: 'upstream_cut', message: text, param: null }
      return event(s, 'error', { code: error.code, message: text, param: null, error })
    },
  }
}

function writeAnswerEvent(s: StreamState, said: AnswerEvent): string {
  switch (said.kind) {
    case 'text':
    case 'refusal':
    case 'thinking':
      return writeText(s, said.kind, said.text, said.kind === 'text' ? said.logprobs : undefined)
    case 'seal':
      return sealThinking(s, said.seal)
    case 'call':
      return (
        (said.seal === undefined ? '' : sealThinking(s, said.seal)) + beginItem(s, 'call', { id: said.id, names: resolveSpacedName(said.name, s.head.spaces) })
      )
    case 'args':
      if (s.open === undefined) return ''
      s.open.text += said.text
      return event(s, 'response.function_call_arguments.delta', { ...at(s, s.open), delta: said.text })
    case 'stop':
      s.stop = said.stop
      return ''
    case 'usage':
      s.usage = said.usage
      return ''
    default:
      return ''
  }
}

const event = (s: StreamState, type: string, fields: Raw): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: s.sequence++, ...fields })}\n\n`

const at = (s: StreamState, it: OpenItem): Raw => ({ item_id: it.id, output_index: s.done.length })

function startResponse(s: StreamState): string {
  if (s.sequence > 0) return ''
  const response = buildResponseShell(s.head, 'in_progress')
  return event(s, 'response.created', { response }) + event(s, 'response.in_progress', { response })
}

function beginItem(s: StreamState, kind: OpenItem['kind'], call: CalledTool = NO_CALL): string {
  const before = startResponse(s) + closeItem(s)
  const it: OpenItem = { kind, id: `${PREFIXES[kind]}_${s.head.id}_${s.done.length}`, call, logprobs: [], text: '', seal: undefined }
  s.open = it
  const item =
    kind === 'thinking'
      ? buildReasoningItem(it.id, '', undefined)
      : kind === 'call'
        ? buildFunctionCall(it.id, 'in_progress', call, '')
        : buildMessageItem(it.id, 'in_progress', [])
  const added = before + event(s, 'response.output_item.added', { output_index: s.done.length, item })
  return kind === 'text' || kind === 'refusal'
    ? added + event(s, 'response.content_part.added', { ...at(s, it), content_index: 0, part: buildTextPart(kind, '') })
    : added
}

function writeText(s: StreamState, kind: 'text' | 'refusal' | 'thinking', text: string, logprobs: readonly Logprob[] = []): string {
  let said = s.open?.kind === kind ? '' : beginItem(s, kind)
  const it = s.open!
  if (kind === 'thinking' && it.text === '')
    said += event(s, 'response.reasoning_summary_part.added', { ...at(s, it), summary_index: 0, part: { type: 'summary_text', text: '' } })
  it.text += text
  it.logprobs.push(...logprobs)
  if (kind === 'thinking') return said + event(s, 'response.reasoning_summary_text.delta', { ...at(s, it), summary_index: 0, delta: text })
  const where = { ...at(s, it), content_index: 0, delta: text }
  return (
    said +
    (kind === 'text'
      ? event(s, 'response.output_text.delta', { ...where, logprobs: writeOpenaiLogprobs(logprobs) })
      : event(s, 'response.refusal.delta', where))
  )
}

function sealThinking(s: StreamState, it: Seal): string {
  const said = s.open?.kind === 'thinking' ? '' : beginItem(s, 'thinking')
  s.open!.seal = it
  return said + closeItem(s)
}

/** Ends the open item, if there is one. */
function closeItem(s: StreamState): string {
  const it = s.open
  if (it === undefined) return ''
  s.open = undefined
  const { said, item } = it.kind === 'call' ? closeCall(s, it) : it.kind === 'thinking' ? closeThinking(s, it) : closeText(s, it, it.kind)
  const last = event(s, 'response.output_item.done', { output_index: s.done.length, item })
  s.done.push(item)
  return said + last
}

interface ClosedItem {
  readonly said: string
  readonly item: Raw
}

function closeCall(s: StreamState, it: OpenItem): ClosedItem {
  const args = it.text === '' ? '{}' : it.text
  return {
    said: event(s, 'response.function_call_arguments.done', { ...at(s, it), arguments: args, name: it.call.names.name }),
    item: buildFunctionCall(it.id, 'completed', it.call, args),
  }
}

function closeThinking(s: StreamState, it: OpenItem): ClosedItem {
  const part = { ...at(s, it), summary_index: 0 }
  const item = buildReasoningItem(it.id, it.text, it.seal)
  if (it.text === '') return { said: '', item }
  const said =
    event(s, 'response.reasoning_summary_text.done', { ...part, text: it.text }) +
    event(s, 'response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: it.text } })
  return { said, item }
}

function closeText(s: StreamState, it: OpenItem, kind: 'text' | 'refusal'): ClosedItem {
  const part = { ...at(s, it), content_index: 0 }
  const whole = buildTextPart(kind, it.text, it.logprobs)
  const said =
    (kind === 'text'
      ? event(s, 'response.output_text.done', { ...part, text: it.text, logprobs: writeOpenaiLogprobs(it.logprobs) })
      : event(s, 'response.refusal.done', { ...part, refusal: it.text })) + event(s, 'response.content_part.done', { ...part, part: whole })
  return { said, item: buildMessageItem(it.id, 'completed', [whole]) }
}
