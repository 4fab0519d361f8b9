import { NOTHING } from '../../read/ask.ts'
import { toList, type Json, type JsonObject } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import { pause } from '../pause.ts'
import { isSocketOpen } from '../session.ts'
import { tone } from '../sound.ts'
import { answerSpeech, inPieces, msOf } from '../words.ts'
import type { SpokenAnswer } from '../words.ts'
import { RATE, book, id, sendRealtime, textIn, wrong } from './state.ts'
import type { RealtimeState } from './state.ts'
import { toRealtimeUsage } from './usage.ts'

const SPOKEN_MS = 50

/** A response on its way. */
interface Response {
  readonly id: string
  cancelled: boolean
  readonly answer: SpokenAnswer
  readonly speaks: boolean
  /** Members that every event of it has, and those of its one item. */
  readonly base: JsonObject
  readonly item: JsonObject
  readonly where: JsonObject
  /** Output tokens. */
  readonly cap: number
  readonly output: { text: number; audio: number }
  sent: string
}

export async function respond(s: RealtimeState, asked: JsonObject): Promise<void> {
  while (s.active?.cancelled === true) await pause(1)
  if (s.active !== undefined) return wrong(s, 'conversation_already_has_active_response', 'Conversation already has an active response in progress.')
  const response = begin(s, asked)
  await pause(response.answer.knobs.first)
  if (await speak(s, response)) end(s, response)
}

function begin(s: RealtimeState, asked: JsonObject): Response {
  const last = s.items.at(-1)?.json ?? {}
  const toolResult = last['type'] === 'function_call_output' ? String(last['output']) : undefined
  const answer = answerSpeech(saidIn(s), toList(s.session['tools']), toolResult, s.at.chunkMs)
  const responseId = id('resp')
  const item = answer.tool
    ? { id: id('item'), type: 'function_call', name: answer.tool.name, call_id: id('call'), arguments: '', status: 'in_progress' }
    : { id: id('item'), type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const most = s.session['max_output_tokens']
  const response: Response = {
    id: responseId,
    cancelled: false,
    answer,
    speaks: toList(asked['output_modalities'] ?? s.session['output_modalities']).includes('audio'),
    base: { id: responseId, object: 'realtime.response', conversation_id: 'conv_1', output: [] as Json[], metadata: null, status_details: null },
    item,
    where: { response_id: responseId, item_id: item.id, output_index: 0, content_index: 0 },
    cap: typeof most === 'number' ? most : Infinity,
    output: { text: 4, audio: 0 },
    sent: '',
  }
  s.active = response
  book(s, responseId, { number: ++s.calls, model: s.model, fault: answer.knobs.fault })
  sendRealtime(s, 'response.created', { response: { ...response.base, status: 'in_progress', usage: null } })
  sendRealtime(s, 'response.output_item.added', { ...response.where, item })
  return response
}

const isGone = (s: RealtimeState, response: Response): boolean => response.cancelled || !isSocketOpen(s.at)
const isFull = ({ output, cap }: Response): boolean => output.text + output.audio >= cap

/** False where it falls silent for ever. */
async function speak(s: RealtimeState, response: Response): Promise<boolean> {
  const { answer } = response
  const { knobs } = answer
  const last = knobs.event ?? 2
  let events = 0
  for (const part of inPieces(answer.tool ? JSON.stringify(answer.tool.args) : answer.text, knobs.pieces)) {
    if (isGone(s, response) || isFull(response)) break
    if (knobs.fault === 'stall' && events >= last) return false
    if (knobs.fault === 'cut' && events >= last) break
    events++
    saySome(s, response, part)
    await pause(knobs.chunk)
  }
  return true
}

function saySome(s: RealtimeState, response: Response, part: string): void {
  const { answer, item, where, output, speaks } = response
  response.sent += part
  output.text += countTokens(part)
  if (answer.tool) return sendRealtime(s, 'response.function_call_arguments.delta', { ...where, call_id: item['call_id'] ?? '', delta: part })
  if (!speaks) return sendRealtime(s, 'response.output_text.delta', { ...where, delta: part })
  const ms = msOf(part)
  sendRealtime(s, 'response.output_audio_transcript.delta', { ...where, delta: part })
  sendRealtime(s, 'response.output_audio.delta', { ...where, delta: tone(ms, RATE, (output.audio * SPOKEN_MS) % 60_000) })
  output.audio += Math.ceil(ms / SPOKEN_MS)
}

function end(s: RealtimeState, response: Response): void {
  const { answer, base, item, where, output, sent, speaks } = response
  const { fault } = answer.knobs
  const status = isGone(s, response) ? 'cancelled' : isFull(response) ? 'incomplete' : 'completed'
  const done: JsonObject = answer.tool
    ? { ...item, arguments: sent, status }
    : { ...item, status, content: [speaks ? { type: 'output_audio', transcript: sent } : { type: 'output_text', text: sent }] }
  if (answer.tool)
    sendRealtime(s, 'response.function_call_arguments.done', { ...where, name: answer.tool.name, call_id: item['call_id'] ?? '', arguments: sent })
  sendRealtime(s, 'response.output_item.done', { ...where, item: done })
  const usage = toRealtimeUsage(s, output)
  const counts = { ...NOTHING, input: Number(usage['input_tokens']), output: output.text + output.audio }
  const isAborted = isGone(s, response) || fault === 'cut'
  s.at.book.end(response.id, { status: isAborted ? 'aborted' : 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
  s.items.push({ json: done, text: output.text, audio: output.audio })
  if (s.active === response) s.active = undefined
  if (fault === 'cut') return s.at.socket.terminate()
  const details = status === 'cancelled' ? { type: 'cancelled', reason: 'client_cancelled' } : null
  sendRealtime(s, 'response.done', { response: { ...base, output: [done], status, status_details: details, usage: fault === 'usage-none' ? null : usage } })
}

/** The user's last text; empty after speech. */
function saidIn({ items }: RealtimeState): string {
  const last = items.findLast((item) => item.json['role'] === 'user')
  return last === undefined ? '' : textIn(last.json)
}
