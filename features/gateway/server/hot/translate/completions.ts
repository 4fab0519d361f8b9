import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'
import { FINISH_REASONS, writeChatUsage } from './chat/answer.ts'
import { readChatRequest } from './chat/read.ts'
import type { NeutralAnswer, AnswerHead, NeutralRequest, StopReason, StreamWriter, AnswerVariant } from './form.ts'
import { readOptionalFlag, hasValue, readOptionalNumber, checkKnownMembers, rejectField } from './reading.ts'

/**
 * OpenAI's legacy completions as a caller's dialect: the prompt becomes a user message, the answer text. It is never an upstream dialect:
 * the last models of that route are retired. Without a cap the model's maximum applies, not that API's 16 tokens: thinking alone is longer.
 */
const CHAT_KEYS = [
  ...['model', 'stream', 'stream_options', 'max_tokens', 'temperature', 'top_p', 'seed', 'stop', 'n', 'presence_penalty', 'frequency_penalty'],
  'user',
] as const
const KNOWN = new Set<string>([...CHAT_KEYS, 'prompt', 'echo', 'best_of', 'logprobs', 'suffix', 'logit_bias'])

export function readCompletionRequest(body: Raw, stream: boolean): NeutralRequest {
  checkKnownMembers(body, '', KNOWN)
  if (readOptionalFlag(body, 'echo', '') === true) rejectField('echo')
  if (hasValue(body, 'suffix') && body['suffix'] !== '') rejectField('suffix')
  if (hasValue(body, 'logprobs')) rejectField('logprobs')
  if (isRaw(body['logit_bias']) && Object.keys(body['logit_bias']).length > 0) rejectField('logit_bias')
  const best = readOptionalNumber(body, 'best_of', '')
  if (best !== undefined && best !== (readOptionalNumber(body, 'n', '') ?? 1)) rejectField('best_of')
  const chat: Record<string, unknown> = { messages: [{ role: 'user', content: promptOf(body) }] }
  for (const key of CHAT_KEYS) if (hasValue(body, key)) chat[key] = body[key]
  return readChatRequest(chat, stream)
}

function promptOf(body: Raw): string {
  const { prompt } = body
  const one: unknown = Array.isArray(prompt) && prompt.length === 1 ? prompt[0] : prompt
  return typeof one === 'string' && one !== ''
    ? one
    : rejectField('prompt', 'must be one text for this model; several prompts and token numbers cannot be translated')
}

const finishOf = (stop: StopReason): string => (stop === 'tools' ? 'stop' : FINISH_REASONS[stop])

export function writeCompletionAnswer(answer: NeutralAnswer, head: AnswerHead): Raw {
  const choice = (variant: AnswerVariant, index: number): Raw => ({
    index,
    text: variant.parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join(''),
    logprobs: null,
    finish_reason: finishOf(variant.stop),
  })
  return {
    id: `cmpl-${head.id}`,
    object: 'text_completion',
    created: head.created,
    model: head.model,
    choices: [answer, ...answer.others].map(choice),
    usage: answer.usage && writeChatUsage(answer.usage),
  }
}

export function writeCompletionStream(head: AnswerHead, options: { readonly usage: boolean }): StreamWriter {
  const shell = { id: `cmpl-${head.id}`, object: 'text_completion', created: head.created, model: head.model }
  const none = options.usage ? { usage: null } : {}
  const stops: StopReason[] = ['end']
  let index = 0
  let usage: Raw | undefined
  const chunk = (at: number, text: string, finish: string | null): string =>
    `data: ${JSON.stringify({ ...shell, choices: [{ index: at, text, logprobs: null, finish_reason: finish }], ...none })}\n\n`
  return {
    said(said) {
      if (said.kind === 'text' || said.kind === 'refusal') return chunk(index, said.text, null)
      if (said.kind === 'choice') {
        index = said.index
        while (stops.length <= index) stops.push('end')
      } else if (said.kind === 'stop') stops[index] = said.stop
      else if (said.kind === 'usage') usage = writeChatUsage(said.usage)
      return ''
    },
    end() {
      const last = stops.map((stop, at) => chunk(at, '', finishOf(stop))).join('')
      const counted = options.usage && usage !== undefined ? `data: ${JSON.stringify({ ...shell, choices: [], usage })}\n\n` : ''
      return `${last}${counted}data: [DONE]\n\n`
    },
    fail: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'upstream_cut' } })}\n\n`,
  }
}
