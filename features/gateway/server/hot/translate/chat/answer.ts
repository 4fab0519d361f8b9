import { openaiUsage } from '../../dialects/openai/usage.ts'
import { isRaw, totalInput, totalOutput } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { Answer, AnswerHead, Logprob, Said, Seal, Stop, StreamReader, StreamWriter, Variant } from '../form.ts'
import { openaiLogprobs, readOpenaiLogprobs } from '../logprobs.ts'
import { list, obj, shownSeal, str, uncarry } from '../reading.ts'

const STOPS: Readonly<Record<string, Stop>> = { stop: 'end', length: 'length', tool_calls: 'tools', function_call: 'tools', content_filter: 'refusal' }
export const FINISH: Readonly<Record<Stop, string>> = {
  'end': 'stop',
  'length': 'length',
  'stop-sequence': 'stop',
  'tools': 'tool_calls',
  'refusal': 'content_filter',
  'context': 'length',
}

function usageSaid(body: Raw): Said[] {
  const usage = isRaw(body['usage']) ? openaiUsage(body['usage']) : undefined
  return usage === undefined ? [] : [{ kind: 'usage', usage }]
}

function textsOf(message: Raw, choice: Raw): Said[] {
  const said: Said[] = []
  const thoughts = str(message['reasoning_content']) || str(message['reasoning'])
  if (thoughts !== '') said.push({ kind: 'thinking', text: thoughts })
  const logprobs = readOpenaiLogprobs(obj(choice['logprobs'])['content'])
  if (str(message['content']) !== '' || logprobs !== undefined) said.push({ kind: 'text', text: str(message['content']), logprobs })
  if (str(message['refusal']) !== '') said.push({ kind: 'refusal', text: str(message['refusal']) })
  return said
}

function callSeal(call: Raw): Seal | undefined {
  const signature = str(obj(obj(call['extra_content'])['google'])['thought_signature'])
  return signature === '' ? undefined : uncarry(signature, 'openai-chat')
}

function finished(choice: Raw): Said[] {
  const reason = str(choice['finish_reason'])
  return reason === '' ? [] : [{ kind: 'stop', stop: STOPS[reason] ?? 'end', sequence: undefined }]
}

export function readChatAnswer(body: Raw): readonly Said[] {
  const variants = list(body['choices']).flatMap((choice, at) => [...(at === 0 ? [] : [{ kind: 'choice' as const, index: at }]), ...choiceSaid(choice)])
  return [...variants, ...usageSaid(body)]
}

function choiceSaid(choice: Raw): readonly Said[] {
  const message = obj(choice['message'])
  const calls = list(message['tool_calls']).flatMap((call): Said[] => [
    { kind: 'call', id: str(call['id']), name: str(obj(call['function'])['name']), seal: callSeal(call) },
    { kind: 'args', text: str(obj(call['function'])['arguments']) },
  ])
  return [...textsOf(message, choice), ...calls, ...finished(choice)]
}

export function readChatStream(): StreamReader {
  const readers = new Map<number, (choice: Raw) => Said[]>()
  let speaking = 0
  return (event) => {
    if (isRaw(event['error'])) return [{ kind: 'error', message: str(event['error']['message']) }]
    const said: Said[] = []
    for (const choice of list(event['choices'])) {
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0
      const reader = readers.get(index) ?? choiceReader()
      readers.set(index, reader)
      const more = reader(choice)
      if (more.length > 0 && index !== speaking) said.push({ kind: 'choice', index })
      if (more.length > 0) speaking = index
      said.push(...more)
    }
    return [...said, ...usageSaid(event)]
  }
}

function choiceReader(): (choice: Raw) => Said[] {
  let open = -1
  return (choice) => {
    const delta = obj(choice['delta'])
    const said = textsOf(delta, choice)
    for (const call of list(delta['tool_calls'])) {
      const at = typeof call['index'] === 'number' ? call['index'] : open
      const it = obj(call['function'])
      // Calls come one after the other; one that was left cannot be taken up again in the other dialects.
      if (at < open) return [...said, { kind: 'error', message: 'The provider mixed the arguments of several tool calls.' }]
      if (at > open) said.push({ kind: 'call', id: str(call['id']), name: str(it['name']), seal: callSeal(call) })
      open = at
      if (str(it['arguments']) !== '') said.push({ kind: 'args', text: str(it['arguments']) })
    }
    return [...said, ...finished(choice)]
  }
}

export function chatUsage(usage: Usage): Raw {
  const input = totalInput(usage)
  const output = totalOutput(usage)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput, cache_write_tokens: usage.cacheWrite5m + usage.cacheWrite1h, audio_tokens: usage.audioInput },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOutput },
  }
}

function detail(text: string, seal: Seal | undefined): Raw {
  if (seal?.kind === 'redacted') return { type: 'reasoning.encrypted', data: shownSeal(seal, 'openai-chat') }
  return { type: 'reasoning.text', text, signature: seal && shownSeal(seal, 'openai-chat') }
}

/** A signature of the dialect whose own field this is goes in as it came. */
const extra = (seal: Seal | undefined): Raw =>
  seal === undefined ? {} : { extra_content: { google: { thought_signature: shownSeal(seal, 'gemini-generate') } } }

export function writeChatAnswer(answer: Answer, head: AnswerHead): Raw {
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [answer, ...answer.others].map((variant, index) => choiceOf(variant, index, head.functions === true)),
    usage: answer.usage && chatUsage(answer.usage),
  }
}

/** null where none were asked for. */
const logprobsOf = (logprobs: readonly Logprob[]): Raw | null => (logprobs.length === 0 ? null : { content: openaiLogprobs(logprobs), refusal: null })

function choiceOf(answer: Variant, index: number, functions: boolean): Raw {
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

const finishOf = (stop: Stop, functions: boolean): string => (functions && stop === 'tools' ? 'function_call' : FINISH[stop])

/** Streaming state of one of several answers. */
interface Speaking {
  begun: boolean
  calls: number
  thoughts: string
  stop: Stop
}

export function writeChatStream(head: AnswerHead, options: { readonly usage: boolean }): StreamWriter {
  const shell = { id: `chatcmpl-${head.id}`, object: 'chat.completion.chunk', created: head.created, model: head.model }
  const none = options.usage ? { usage: null } : {}
  const speakers: Speaking[] = [{ begun: false, calls: -1, thoughts: '', stop: 'end' }]
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
      const counted = options.usage && usage !== undefined ? `data: ${JSON.stringify({ ...shell, choices: [], usage: chatUsage(usage) })}\n\n` : ''
      return `${last}${counted}data: [DONE]\n\n`
    },
    fail: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'upstream_cut' } })}\n\n`,
  }
}
