import { totalInput, totalOutput } from '../../settlement/usage.ts'
import type { Raw, Usage } from '../../settlement/usage.ts'
import type { Answer, AnswerHead, Logprob, Seal, Stop, StreamWriter } from '../form.ts'
import { openaiLogprobs } from '../logprobs.ts'
import { shownSeal, str } from '../reading.ts'
import { spacedName } from '../spaces.ts'

const DIALECT = 'openai-responses'

function responsesUsage(usage: Usage): Raw {
  const input = totalInput(usage)
  const output = totalOutput(usage)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cachedInput, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: input + output,
  }
}

function shell(head: AnswerHead, status: string): Raw {
  return {
    id: `resp_${head.id}`,
    object: 'response',
    created_at: head.created,
    status,
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

function ended(head: AnswerHead, stop: Stop, output: readonly Raw[], usage: Usage | undefined): Raw {
  const reason = stop === 'length' || stop === 'context' ? 'max_output_tokens' : stop === 'refusal' ? 'content_filter' : undefined
  return {
    ...shell(head, reason === undefined ? 'completed' : 'incomplete'),
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage: usage === undefined ? null : responsesUsage(usage),
  }
}

const reasoning = (id: string, text: string, seal: Seal | undefined): Raw => ({
  id,
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  encrypted_content: seal && shownSeal(seal, DIALECT),
})
const message = (id: string, status: string, content: readonly Raw[]): Raw => ({ id, type: 'message', status, role: 'assistant', content })
const textPart = (kind: 'text' | 'refusal', text: string, logprobs: readonly Logprob[] = []): Raw =>
  kind === 'text' ? { type: 'output_text', text, annotations: [], logprobs: openaiLogprobs(logprobs) } : { type: 'refusal', refusal: text }
const functionCall = (id: string, status: string, call: Called, args: string): Raw => ({
  id,
  type: 'function_call',
  status,
  call_id: call.id,
  ...call.names,
  arguments: args,
})

/** The whole answer is what the stream would have ended with. */
export function writeResponsesAnswer(answer: Answer, head: AnswerHead): Raw {
  const stream = writeResponsesStream(head)
  for (const part of answer.parts) {
    if (part.kind === 'call') {
      stream.said({ kind: 'call', id: part.id, name: part.name, seal: part.seal })
      stream.said({ kind: 'args', text: part.args })
    } else if (part.kind === 'thinking') {
      if (part.text !== '') stream.said({ kind: 'thinking', text: part.text })
      if (part.seal !== undefined) stream.said({ kind: 'seal', seal: part.seal })
    } else stream.said(part)
  }
  return ended(head, answer.stop, stream.items(), answer.usage)
}

interface Called {
  readonly id: string
  readonly names: ReturnType<typeof spacedName>
}

interface Open {
  readonly kind: 'text' | 'refusal' | 'thinking' | 'call'
  readonly id: string
  readonly call: Called
  readonly logprobs: Logprob[]
  text: string
  seal: Seal | undefined
}

const NO_CALL: Called = { id: '', names: { name: '' } }

/** Every item is begun, filled, and said again whole at its end, so an item's text is kept until then. */
export function writeResponsesStream(head: AnswerHead): StreamWriter & { items(): readonly Raw[] } {
  const done: Raw[] = []
  let sequence = 0
  let open: Open | undefined
  let stop: Stop = 'end'
  let usage: Usage | undefined
  const event = (type: string, fields: Raw): string => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...fields })}\n\n`
  const start = (): string => {
    if (sequence > 0) return ''
    const response = shell(head, 'in_progress')
    return event('response.created', { response }) + event('response.in_progress', { response })
  }
  const at = (it: Open): Raw => ({ item_id: it.id, output_index: done.length })
  const close = (): string => {
    const it = open
    if (it === undefined) return ''
    open = undefined
    const where = at(it)
    let said = ''
    let item: Raw
    if (it.kind === 'call') {
      const args = it.text === '' ? '{}' : it.text
      said = event('response.function_call_arguments.done', { ...where, arguments: args, name: it.call.names.name })
      item = functionCall(it.id, 'completed', it.call, args)
    } else if (it.kind === 'thinking') {
      const part = { ...where, summary_index: 0 }
      if (it.text !== '')
        said =
          event('response.reasoning_summary_text.done', { ...part, text: it.text }) +
          event('response.reasoning_summary_part.done', { ...part, part: { type: 'summary_text', text: it.text } })
      item = reasoning(it.id, it.text, it.seal)
    } else {
      const part = { ...where, content_index: 0 }
      said =
        (it.kind === 'text'
          ? event('response.output_text.done', { ...part, text: it.text, logprobs: openaiLogprobs(it.logprobs) })
          : event('response.refusal.done', { ...part, refusal: it.text })) +
        event('response.content_part.done', { ...part, part: textPart(it.kind, it.text, it.logprobs) })
      item = message(it.id, 'completed', [textPart(it.kind, it.text, it.logprobs)])
    }
    said += event('response.output_item.done', { output_index: done.length, item })
    done.push(item)
    return said
  }
  const begin = (kind: Open['kind'], call: Called = NO_CALL): string => {
    const before = start() + close()
    const prefix = kind === 'thinking' ? 'rs' : kind === 'call' ? 'fc' : 'msg'
    const it: Open = { kind, id: `${prefix}_${head.id}_${done.length}`, call, logprobs: [], text: '', seal: undefined }
    open = it
    const item =
      kind === 'thinking' ? reasoning(it.id, '', undefined) : kind === 'call' ? functionCall(it.id, 'in_progress', call, '') : message(it.id, 'in_progress', [])
    const added = before + event('response.output_item.added', { output_index: done.length, item })
    return kind === 'text' || kind === 'refusal'
      ? added + event('response.content_part.added', { ...at(it), content_index: 0, part: textPart(kind, '') })
      : added
  }
  const speak = (kind: 'text' | 'refusal' | 'thinking', text: string, logprobs: readonly Logprob[] = []): string => {
    let said = open?.kind === kind ? '' : begin(kind)
    const it = open!
    if (kind === 'thinking' && it.text === '')
      said += event('response.reasoning_summary_part.added', { ...at(it), summary_index: 0, part: { type: 'summary_text', text: '' } })
    it.text += text
    it.logprobs.push(...logprobs)
    if (kind === 'thinking') return said + event('response.reasoning_summary_text.delta', { ...at(it), summary_index: 0, delta: text })
    const where = { ...at(it), content_index: 0, delta: text }
    return (
      said + (kind === 'text' ? event('response.output_text.delta', { ...where, logprobs: openaiLogprobs(logprobs) }) : event('response.refusal.delta', where))
    )
  }
  const seal = (it: Seal): string => {
    const said = open?.kind === 'thinking' ? '' : begin('thinking')
    open!.seal = it
    return said + close()
  }
  return {
    items() {
      close()
      return done
    },
    said(said) {
      switch (said.kind) {
        case 'text':
        case 'refusal':
        case 'thinking':
          return speak(said.kind, said.text, said.kind === 'text' ? said.logprobs : undefined)
        case 'seal':
          return seal(said.seal)
        case 'call':
          return (said.seal === undefined ? '' : seal(said.seal)) + begin('call', { id: said.id, names: spacedName(said.name, head.spaces) })
        case 'args':
          if (open === undefined) return ''
          open.text += said.text
          return event('response.function_call_arguments.delta', { ...at(open), delta: said.text })
        case 'stop':
          stop = said.stop
          return ''
        case 'usage':
          usage = said.usage
          return ''
        default:
          return ''
      }
    },
    end() {
      const before = start() + close()
      const response = ended(head, stop, done, usage)
      return before + event(`response.${str(response['status'])}`, { response })
    },
    fail(text) {
      const error = { type: 'server_error', code: 'upstream_cut', message: text, param: null }
      return event('error', { code: error.code, message: text, param: null, error })
    },
  }
}
