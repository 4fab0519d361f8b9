import { parseOpenaiUsage } from '../../dialects/openai/usage.ts'
import { isRaw, sumInput, sumOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { NeutralAnswer, AnswerHead, Logprob, AnswerEvent, Seal, StopReason, StreamReader, StreamWriter, AnswerVariant } from '../form.ts'
import { writeOpenaiLogprobs, readOpenaiLogprobs } from '../logprobs.ts'
import { toObjectList, toObjectOrEmpty, formatSeal, toTextOrEmpty, unwrapSeal } from '../reading.ts'

const STOPS: Readonly<Record<string, StopReason>> = { stop: 'end', length: 'length', tool_calls: 'tools', function_call: 'tools', content_filter: 'refusal' }
export const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  'end': 'stop',
  'length': 'length',
  'stop-sequence': 'stop',
  'tools': 'tool_calls',
  'refusal': 'content_filter',
  'context': 'length',
}

function readUsageEvents(body: Raw): AnswerEvent[] {
  const usage = isRaw(body['usage']) ? parseOpenaiUsage(body['usage']) : undefined
  return usage === undefined ? [] : [{ kind: 'usage', usage }]
}

function readTextEvents(message: Raw, choice: Raw): AnswerEvent[] {
  const said: AnswerEvent[] = []
  const thoughts = toTextOrEmpty(message['reasoning_content']) || toTextOrEmpty(message['reasoning'])
  if (thoughts !== '') said.push({ kind: 'thinking', text: thoughts })
  const logprobs = readOpenaiLogprobs(toObjectOrEmpty(choice['logprobs'])['content'])
  if (toTextOrEmpty(message['content']) !== '' || logprobs !== undefined) said.push({ kind: 'text', text: toTextOrEmpty(message['content']), logprobs })
  if (toTextOrEmpty(message['refusal']) !== '') said.push({ kind: 'refusal', text: toTextOrEmpty(message['refusal']) })
  return said
}

function readCallSeal(call: Raw): Seal | undefined {
  const signature = toTextOrEmpty(toObjectOrEmpty(toObjectOrEmpty(call['extra_content'])['google'])['thought_signature'])
  return signature === '' ? undefined : unwrapSeal(signature, 'openai-chat')
}

function readStopEvents(choice: Raw): AnswerEvent[] {
  const reason = toTextOrEmpty(choice['finish_reason'])
  return reason === '' ? [] : [{ kind: 'stop', stop: STOPS[reason] ?? 'end', sequence: undefined }]
}

export function readChatAnswer(body: Raw): readonly AnswerEvent[] {
  const variants = toObjectList(body['choices']).flatMap((choice, at) => [
    ...(at === 0 ? [] : [{ kind: 'choice' as const, index: at }]),
    ...readChoiceEvents(choice),
  ])
  return [...variants, ...readUsageEvents(body)]
}

function readChoiceEvents(choice: Raw): readonly AnswerEvent[] {
  const message = toObjectOrEmpty(choice['message'])
  const calls = toObjectList(message['tool_calls']).flatMap((call): AnswerEvent[] => [
    { kind: 'call', id: toTextOrEmpty(call['id']), name: toTextOrEmpty(toObjectOrEmpty(call['function'])['name']), seal: readCallSeal(call) },
    { kind: 'args', text: toTextOrEmpty(toObjectOrEmpty(call['function'])['arguments']) },
  ])
  return [...readTextEvents(message, choice), ...calls, ...readStopEvents(choice)]
}

export function readChatStream(): StreamReader {
  const readers = new Map<number, (choice: Raw) => AnswerEvent[]>()
  let speaking = 0
  return (event) => {
    if (isRaw(event['error'])) return [{ kind: 'error', message: toTextOrEmpty(event['error']['message']) }]
    const said: AnswerEvent[] = []
    for (const choice of toObjectList(event['choices'])) {
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0
      const reader = readers.get(index) ?? choiceReader()
      readers.set(index, reader)
      const more = reader(choice)
      if (more.length > 0 && index !== speaking) said.push({ kind: 'choice', index })
      if (more.length > 0) speaking = index
      said.push(...more)
    }
    return [...said, ...readUsageEvents(event)]
  }
}

function choiceReader(): (choice: Raw) => AnswerEvent[] {
  let open = -1
  return (choice) => {
    const delta = toObjectOrEmpty(choice['delta'])
    const said = readTextEvents(delta, choice)
    for (const call of toObjectList(delta['tool_calls'])) {
      const at = typeof call['index'] === 'number' ? call['index'] : open
      const it = toObjectOrEmpty(call['function'])
      // Calls come one after the other; the other dialects cannot resume an earlier call.
      if (at < open) return [...said, { kind: 'error', message: 'The provider mixed the arguments of several tool calls.' }]
      if (at > open) said.push({ kind: 'call', id: toTextOrEmpty(call['id']), name: toTextOrEmpty(it['name']), seal: readCallSeal(call) })
      open = at
      if (toTextOrEmpty(it['arguments']) !== '') said.push({ kind: 'args', text: toTextOrEmpty(it['arguments']) })
    }
    return [...said, ...readStopEvents(choice)]
  }
}

export function writeChatUsage(usage: Usage): Raw {
  const input = sumInput(usage)
  const output = sumOutput(usage)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h, audio_tokens: usage.audioInput },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOutput },
  }
}

function detail(text: string, seal: Seal | undefined): Raw {
  if (seal?.kind === 'redacted') return { type: 'reasoning.encrypted', data: formatSeal(seal, 'openai-chat') }
  return { type: 'reasoning.text', text, signature: seal && formatSeal(seal, 'openai-chat') }
}

/** The signature of the dialect that this field belongs to is written unchanged. */
const extra = (seal: Seal | undefined): Raw =>
  seal === undefined ? {} : { extra_content: { google: { thought_signature: formatSeal(seal, 'gemini-generate') } } }

export function writeChatAnswer(answer: NeutralAnswer, head: AnswerHead): Raw {
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [answer, ...answer.others].map((variant, index) => choiceOf(variant, index, head.functions === true)),
    usage: answer.usage && writeChatUsage(answer.usage),
  }
}

/** null if none were requested. */
const logprobsOf = (logprobs: readonly Logprob[]): Raw | null => (logprobs.length === 0 ? null : { content: writeOpenaiLogprobs(logprobs), refusal: null })

function choiceOf(answer: AnswerVariant, index: number, functions: boolean): Raw {
  const of = (kind: 'text' | 'refusal' | 'thinking'): string => answer.parts.map((part) => (part.kind === kind ? part.text : '')).join('')
  const calls = answer.parts.filter((part) => part.kind === 'call')
  const thoughts = answer.parts.filter((part) => part.kind === 'thinking')
  return {
    index,
    message: {
      role: 'assistant',
      content: of('text') === '' && (calls.length > 0 || of('refusal') !== '') ? null : of('text'),
      refusal: of('refusal') === '' ? null : of('refusal'),
      reasoning_content: of('thinking') === '' ? undefined : of('thinking'),
      reasoning_details: thoughts.length === 0 ? undefined : thoughts.map((part) => detail(part.text, part.seal)),
      function_call: functions && calls[0] !== undefined ? { name: calls[0].name, arguments: calls[0].args } : undefined,
      tool_calls:
        calls.length === 0 || functions
          ? undefined
          : calls.map((part) => ({ id: part.id, type: 'function', function: { name: part.name, arguments: part.args }, ...extra(part.seal) })),
    },
    logprobs: logprobsOf(answer.parts.flatMap((part) => (part.kind === 'text' ? part.logprobs : []))),
    finish_reason: finishOf(answer.stop, functions),
  }
}

const finishOf = (stop: StopReason, functions: boolean): string => (functions && stop === 'tools' ? 'function_call' : FINISH_REASONS[stop])

/** Streaming state of one of several answers. */
interface ChoiceStream {
  begun: boolean
  calls: number
  thoughts: string
  stop: StopReason
}

export function writeChatStream(head: AnswerHead, options: { readonly usage: boolean }): StreamWriter {
  const shell = { id: `chatcmpl-${head.id}`, object: 'chat.completion.chunk', created: head.created, model: head.model }
  const none = options.usage ? { usage: null } : {}
  const speakers: ChoiceStream[] = [{ begun: false, calls: -1, thoughts: '', stop: 'end' }]
  let index = 0
  let usage: Usage | undefined
  const chunk = (delta: Raw, finish: string | null = null, logprobs: Raw | null = null): string => {
    const speaker = speakers[index]!
    const role = speaker.begun ? {} : { role: 'assistant' }
    speaker.begun = true
    return `data: ${JSON.stringify({ ...shell, choices: [{ index, delta: { ...role, ...delta }, logprobs, finish_reason: finish }], ...none })}\n\n`
  }
  return {
    said(said) {
      const speaker = speakers[index]!
      switch (said.kind) {
        case 'choice':
          index = said.index
          while (speakers.length <= index) speakers.push({ begun: false, calls: -1, thoughts: '', stop: 'end' })
          return ''
        case 'text':
          return chunk({ content: said.text }, null, logprobsOf(said.logprobs ?? []))
        case 'refusal':
          return chunk({ refusal: said.text })
        case 'thinking':
          speaker.thoughts += said.text
          return chunk({ reasoning_content: said.text })
        case 'seal': {
          const details = [detail(speaker.thoughts, said.seal)]
          speaker.thoughts = ''
          return chunk({ reasoning_details: details })
        }
        case 'call':
          speaker.calls++
          if (head.functions === true) return chunk({ function_call: { name: said.name, arguments: '' } })
          return chunk({
            tool_calls: [{ index: speaker.calls, id: said.id, type: 'function', function: { name: said.name, arguments: '' }, ...extra(said.seal) }],
          })
        case 'args':
          if (head.functions === true) return chunk({ function_call: { arguments: said.text } })
          return chunk({ tool_calls: [{ index: speaker.calls, function: { arguments: said.text } }] })
        case 'stop':
          speaker.stop = said.stop
          return ''
        case 'usage':
          usage = said.usage
          return ''
        default:
          return ''
      }
    },
    end() {
      let last = ''
      for (index = 0; index < speakers.length; index++) last += chunk({}, finishOf(speakers[index]!.stop, head.functions === true))
      const counted = options.usage && usage !== undefined ? `data: ${JSON.stringify({ ...shell, choices: [], usage: writeChatUsage(usage) })}\n\n` : ''
      return `${last}${counted}data: [DONE]\n\n`
    },
    fail: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'upstream_cut' } })}\n\n`,
  }
}
