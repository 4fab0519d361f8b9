import { randomBytes } from 'node:crypto'
import { toList, obj, type JsonObject } from '../../read/json.ts'
import { isSocketOpen } from '../session.ts'
import type { Session } from '../session.ts'

export const RATE = 24_000

interface Item {
  readonly json: JsonObject
  readonly text: number
  readonly audio: number
}

/** One session: its conversation, what is heard, what is said. */
export interface RealtimeState {
  readonly at: Session
  readonly model: string
  readonly items: Item[]
  session: JsonObject
  /** Bytes of speech that are no item yet. */
  buffered: number
  speaking: boolean
  /** Tokens of the prompt before. */
  cached: { readonly text: number; readonly audio: number }
  calls: number
  transcribed: number
  active: { readonly id: string; cancelled: boolean } | undefined
}

export function createRealtimeState(at: Session, model: string): RealtimeState {
  return {
    at,
    model,
    items: [],
    session: newSession(model),
    buffered: 0,
    speaking: false,
    cached: { text: 0, audio: 0 },
    calls: 0,
    transcribed: 0,
    active: undefined,
  }
}

export const id = (kind: string) => `${kind}_${randomBytes(10).toString('hex')}`

const newSession = (model: string): JsonObject => ({
  type: 'realtime',
  object: 'realtime.session',
  id: id('sess'),
  model,
  output_modalities: ['audio'],
  instructions: 'Be kind.',
  tools: [],
  max_output_tokens: 'inf',
  audio: {
    input: {
      format: { type: 'audio/pcm', rate: RATE },
      transcription: null,
      turn_detection: { type: 'server_vad', create_response: true, interrupt_response: true },
    },
    output: { format: { type: 'audio/pcm', rate: RATE }, voice: 'alloy' },
  },
})

export function sendRealtime({ at }: RealtimeState, type: string, more: JsonObject = {}): void {
  if (isSocketOpen(at)) at.socket.send(JSON.stringify({ type, event_id: id('event'), ...more }), { binary: false })
}

export const wrong = (s: RealtimeState, code: string, message: string, param: string | null = null): void =>
  sendRealtime(s, 'error', { error: { type: 'invalid_request_error', code, message, param, event_id: null } })

export const inputOf = ({ session }: RealtimeState): JsonObject => obj(obj(session['audio'])['input'])

/** Bills a response or a transcription. */
export function book(
  { at }: RealtimeState,
  requestId: string,
  call: { readonly number: number | string; readonly model: string; readonly fault: string | undefined },
): void {
  at.book.start({
    requestId,
    callId: `${at.callId}_${call.number}`,
    dialect: 'openai-realtime',
    model: call.model,
    stream: true,
    fault: call.fault,
    startedAt: Date.now(),
  })
}

export function addItem(s: RealtimeState, json: JsonObject, text: number, audio: number): void {
  const item = { id: id('item'), object: 'realtime.item', status: 'completed', ...json }
  s.items.push({ json: item, text, audio })
  sendRealtime(s, 'conversation.item.added', { item })
  sendRealtime(s, 'conversation.item.done', { item })
}

export function textIn(item: JsonObject): string {
  if (typeof item['output'] === 'string') return item['output']
  return toList(item['content'])
    .map((part) => String(obj(part)['text'] ?? ''))
    .join(' ')
}
