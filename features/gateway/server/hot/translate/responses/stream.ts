import type { Raw, Usage } from '../../usage/usage.ts'
import type { AnswerHead, Logprob, Said, Seal, Stop, StreamWriter } from '../form.ts'
import { openaiLogprobs } from '../logprobs.ts'
import { str } from '../reading.ts'
import { spacedName } from '../spaces.ts'
import { ended, functionCall, message, reasoning, shell, textPart } from './objects.ts'
import type { Called } from './objects.ts'

/** The item that is being said. */
interface Open {
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  readonly id: string
  readonly call: Called
  readonly logprobs: Logprob[]
  text: string
  seal: Seal | undefined
}

interface State {
  readonly head: AnswerHead
  readonly done: Raw[]
  sequence: number
  open: Open | undefined
  stop: Stop
  usage: Usage | undefined
}

const NO_CALL: Called = { id: '', names: { name: '' } }
const PREFIXES = { text: 'msg', refusal: 'msg', thinking: 'rs', call: 'fc' } as const

/** Every item is begun, filled, and said again whole at its end, so an item's text is kept until then. */
export function writeResponsesStream(head: AnswerHead): StreamWriter & { items(): readonly Raw[] } {
  const s: State = { head, done: [], sequence: 0, open: undefined, stop: 'end', usage: undefined }
  return {
    items() {
      close(s)
      return s.done
    },
    said: (said) => say(s, said),
    end() {
      const before = start(s) + close(s)
      const response = ended(head, s.stop, s.done, s.usage)
      return before + event(s, `response.${str(response['status'])}`, { response })
    },
    fail(text) {
      const error = { type: 'server_error', code: 'upstream_cut', message: text, param: null }
      return event(s, 'error', { code: error.code, message: text, param: null, error })
    },
  }
}

function say(s: State, said: Said): string {
  switch (said.kind) {
    case 'text':
    case 'refusal':
    case 'thinking':
      return speak(s, said.kind, said.text, said.kind === 'text' ? said.logprobs : undefined)
    case 'seal':
      return seal(s, said.seal)
    case 'call':
      return (said.seal === undefined ? '' : seal(s, said.seal)) + begin(s, 'call', { id: said.id, names: spacedName(said.name, s.head.spaces) })
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

const event = (s: State, type: string, fields: Raw): string => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: s.sequence++, ...fields })}\n\n`

const at = (s: State, it: Open): Raw => ({ item_id: it.id, output_index: s.done.length })

function start(s: State): string {
  if (s.sequence > 0) return ''
  const response = shell(s.head, 'in_progress')
  return event(s, 'response.created', { response }) + event(s, 'response.in_progress', { response })
}

function begin(s: State, kind: Open['kind'], call: Called = NO_CALL): string {
  const before = start(s) + close(s)
  const it: Open = { kind, id: `${PREFIXES[kind]}_${s.head.id}_${s.done.length}`, call, logprobs: [], text: '', seal: undefined }
  s.open = it
  const item =
    kind === 'thinking' ? reasoning(it.id, '', undefined) : kind === 'call' ? functionCall(it.id, 'in_progress', call, '') : message(it.id, 'in_progress', [])
  const added = before + event(s, 'response.output_item.added', { output_index: s.done.length, item })
  return kind === 'text' || kind === 'refusal'
    ? added + event(s, 'response.content_part.added', { ...at(s, it), content_index: 0, part: textPart(kind, '') })
    : added
}

function speak(s: State, kind: 'text' | 'refusal' | 'thinking', text: string, logprobs: readonly Logprob[] = []): string {
  let said = s.open?.kind === kind ? '' : begin(s, kind)
  const it = s.open!
  if (kind === 'thinking' && it.text === '')
    said += event(s, 'response.reasoning_summary_part.added', { ...at(s, it), summary_index: 0, part: { type: 'summary_text', text: '' } })
  it.text += text
  it.logprobs.push(...logprobs)
  if (kind === 'thinking') return said + event(s, 'response.reasoning_summary_text.delta', { ...at(s, it), summary_index: 0, delta: text })
  const where = { ...at(s, it), content_index: 0, delta: text }
  return (
    said +
    (kind === 'text' ? event(s, 'response.output_text.delta', { ...where, logprobs: openaiLogprobs(logprobs) }) : event(s, 'response.refusal.delta', where))
  )
}

function seal(s: State, it: Seal): string {
  const said = s.open?.kind === 'thinking' ? '' : begin(s, 'thinking')
  s.open!.seal = it
  return said + close(s)
}

/** Ends the item that is open, where one is. */
function close(s: State): string {
  const it = s.open
  if (it === undefined) return ''
  s.open = undefined
  const { said, item } = it.kind === 'call' ? closeCall(s, it) : it.kind === 'thinking' ? closeThinking(s, it) : closeText(s, it, it.kind)
  const last = event(s, 'response.output_item.done', { output_index: s.done.length, item })
  s.done.push(item)
  return said + last
}

interface Closed {
  readonly said: string
  readonly item: Raw
}

function closeCall(s: State, it: Open): Closed {
  const args = it.text === '' ? '{}' : it.text
  return {
    said: event(s, 'response.function_call_arguments.done', { ...at(s, it), arguments: args, name: it.call.names.name }),
    item: functionCall(it.id, 'completed', it.call, args),
  }
}

function closeThinking(s: State, it: Open): Closed {
  const part = { ...at(s, it), summary_index: 0 }
  const item = reasoning(it.id, it.text, it.seal)
  if (it.text === '') return { said: '', item }
  const said =
    event(s, 'response.reasoning_summary_text.done', { ...part, text: it.text }) +
    event(s, 'response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: it.text } })
  return { said, item }
}

function closeText(s: State, it: Open, kind: 'text' | 'refusal'): Closed {
  const part = { ...at(s, it), content_index: 0 }
  const whole = textPart(kind, it.text, it.logprobs)
  const said =
    (kind === 'text'
      ? event(s, 'response.output_text.done', { ...part, text: it.text, logprobs: openaiLogprobs(it.logprobs) })
      : event(s, 'response.refusal.done', { ...part, refusal: it.text })) + event(s, 'response.content_part.done', { ...part, part: whole })
  return { said, item: message(it.id, 'completed', [whole]) }
}
