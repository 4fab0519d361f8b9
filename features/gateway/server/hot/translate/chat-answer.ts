import { openaiUsage } from '../dialects/openai-usage.ts'
import { isRaw, totalInput, totalOutput } from '../usage.ts'
import type { Raw, Usage } from '../usage.ts'
import type { Answer, AnswerHead, Said, Seal, Stop, StreamReader, StreamWriter } from './form.ts'
import { list, obj, shownSeal, str, uncarry } from './reading.ts'

const STOPS: Readonly<Record<string, Stop>> = { stop: 'end', length: 'length', tool_calls: 'tools', function_call: 'tools', content_filter: 'refusal' }
const FINISH: Readonly<Record<Stop, string>> = {
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

function textsOf(message: Raw): Said[] {
  const said: Said[] = []
  const thoughts = str(message['reasoning_content']) || str(message['reasoning'])
  if (thoughts !== '') said.push({ kind: 'thinking', text: thoughts })
  if (str(message['content']) !== '') said.push({ kind: 'text', text: str(message['content']) })
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
  const choice = list(body['choices'])[0] ?? {}
  const message = obj(choice['message'])
  const calls = list(message['tool_calls']).flatMap((call): Said[] => [
    { kind: 'call', id: str(call['id']), name: str(obj(call['function'])['name']), seal: callSeal(call) },
    { kind: 'args', text: str(obj(call['function'])['arguments']) },
  ])
  return [...textsOf(message), ...calls, ...finished(choice), ...usageSaid(body)]
}

export function readChatStream(): StreamReader {
  let open = -1
  return (event) => {
    if (isRaw(event['error'])) return [{ kind: 'error', message: str(event['error']['message']) }]
    const choice = list(event['choices'])[0]
    if (choice === undefined) return usageSaid(event)
    const delta = obj(choice['delta'])
    const said = textsOf(delta)
    for (const call of list(delta['tool_calls'])) {
      const at = typeof call['index'] === 'number' ? call['index'] : open
      const it = obj(call['function'])
      // Calls come one after the other; one that was left cannot be taken up again in the other dialects.
      if (at < open) return [...said, { kind: 'error', message: 'The provider mixed the arguments of several tool calls.' }]
      if (at > open) said.push({ kind: 'call', id: str(call['id']), name: str(it['name']), seal: callSeal(call) })
      open = at
      if (str(it['arguments']) !== '') said.push({ kind: 'args', text: str(it['arguments']) })
    }
    return [...said, ...finished(choice), ...usageSaid(event)]
  }
}

function chatUsage(usage: Usage): Raw {
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
  const of = (kind: 'text' | 'refusal' | 'thinking'): string => answer.parts.map((part) => (part.kind === kind ? part.text : '')).join('')
  const calls = answer.parts.filter((part) => part.kind === 'call')
  const thoughts = answer.parts.filter((part) => part.kind === 'thinking')
  return {
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: of('text') === '' && (calls.length > 0 || of('refusal') !== '') ? null : of('text'),
          refusal: of('refusal') === '' ? null : of('refusal'),
          reasoning_content: of('thinking') === '' ? undefined : of('thinking'),
          reasoning_details: thoughts.length === 0 ? undefined : thoughts.map((part) => detail(part.text, part.seal)),
          tool_calls:
            calls.length === 0
              ? undefined
              : calls.map((part) => ({ id: part.id, type: 'function', function: { name: part.name, arguments: part.args }, ...extra(part.seal) })),
        },
        logprobs: null,
        finish_reason: FINISH[answer.stop],
      },
    ],
    usage: answer.usage && chatUsage(answer.usage),
  }
}

export function writeChatStream(head: AnswerHead, options: { readonly usage: boolean }): StreamWriter {
  const shell = { id: `chatcmpl-${head.id}`, object: 'chat.completion.chunk', created: head.created, model: head.model }
  const none = options.usage ? { usage: null } : {}
  let begun = false
  let calls = -1
  let thoughts = ''
  let stop: Stop = 'end'
  let usage: Usage | undefined
  const chunk = (delta: Raw, finish: string | null = null): string => {
    const role = begun ? {} : { role: 'assistant' }
    begun = true
    return `data: ${JSON.stringify({ ...shell, choices: [{ index: 0, delta: { ...role, ...delta }, logprobs: null, finish_reason: finish }], ...none })}\n\n`
  }
  return {
    said(said) {
      switch (said.kind) {
        case 'text':
          return chunk({ content: said.text })
        case 'refusal':
          return chunk({ refusal: said.text })
        case 'thinking':
          thoughts += said.text
          return chunk({ reasoning_content: said.text })
        case 'seal': {
          const details = [detail(thoughts, said.seal)]
          thoughts = ''
          return chunk({ reasoning_details: details })
        }
        case 'call':
          calls++
          return chunk({ tool_calls: [{ index: calls, id: said.id, type: 'function', function: { name: said.name, arguments: '' }, ...extra(said.seal) }] })
        case 'args':
          return chunk({ tool_calls: [{ index: calls, function: { arguments: said.text } }] })
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
      const last = chunk({}, FINISH[stop])
      const counted = options.usage && usage !== undefined ? `data: ${JSON.stringify({ ...shell, choices: [], usage: chatUsage(usage) })}\n\n` : ''
      return `${last}${counted}data: [DONE]\n\n`
    },
    fail: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'upstream_cut' } })}\n\n`,
  }
}
