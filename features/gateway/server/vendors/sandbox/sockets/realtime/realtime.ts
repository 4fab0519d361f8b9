import { randomBytes } from 'node:crypto'
import type { WebSocket } from 'ws'
import { NOTHING } from '../read/ask.ts'
import type { SandboxBook } from '../book/book.ts'
import { isObject, list, obj, type Json, type JsonObject } from '../read/json.ts'
import { countTokens } from '../tokens.ts'
import { isSilent, tone } from './sound.ts'
import { answerTo, inPieces, msOf } from './words.ts'
import { pause } from './pause.ts'

const RATE = 24_000
const HEARD_MS = 100
const SPOKEN_MS = 50
const ASR_WORDS = 'somebody said something'

export interface Session {
  readonly socket: WebSocket
  readonly book: SandboxBook
  readonly model: string
  readonly callId: string
  readonly chunkMs: number
}

interface Item {
  readonly json: JsonObject
  readonly text: number
  readonly audio: number
}

const id = (kind: string) => `${kind}_${randomBytes(10).toString('hex')}`

/** OpenAI Realtime: a conversation of items, voice activity by silence, responses with tools, cancelling, usage by class. */
export function serveRealtime(at: Session): void {
  const items: Item[] = []
  let session: JsonObject = {
    type: 'realtime',
    object: 'realtime.session',
    id: id('sess'),
    model: at.model,
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
  }
  let buffered = 0
  let speaking = false
  let cached = { text: 0, audio: 0 }
  let calls = 0
  let active: { readonly id: string; cancelled: boolean } | undefined

  const say = (type: string, more: JsonObject = {}): void => {
    if (at.socket.readyState === at.socket.OPEN) at.socket.send(JSON.stringify({ type, event_id: id('event'), ...more }), { binary: false })
  }
  const wrong = (code: string, message: string, param: string | null = null): void =>
    say('error', { error: { type: 'invalid_request_error', code, message, param, event_id: null } })
  const input = (): JsonObject => obj(obj(session['audio'])['input'])

  const add = (json: JsonObject, text: number, audio: number): void => {
    const item = { id: id('item'), object: 'realtime.item', status: 'completed', ...json }
    items.push({ json: item, text, audio })
    say('conversation.item.added', { item })
    say('conversation.item.done', { item })
  }

  const commit = (): void => {
    const audio = Math.max(1, Math.ceil(buffered / 2 / (RATE / 1000) / HEARD_MS))
    buffered = 0
    const item = id('item')
    say('input_audio_buffer.committed', { item_id: item, previous_item_id: null })
    add({ id: item, type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] }, 2, audio)
    const transcription = input()['transcription']
    if (!isObject(transcription)) return
    const output = countTokens(ASR_WORDS)
    const usage = {
      type: 'tokens',
      input_tokens: audio,
      input_token_details: { text_tokens: 0, audio_tokens: audio },
      output_tokens: output,
      total_tokens: audio + output,
    }
    const requestId = id('asr')
    const counts = { ...NOTHING, input: audio, output }
    at.book.start({
      requestId,
      callId: `${at.callId}_${++calls}`,
      dialect: 'openai-realtime',
      model: String(transcription['model']),
      stream: true,
      fault: undefined,
      startedAt: Date.now(),
    })
    at.book.end(requestId, { status: 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
    say('conversation.item.input_audio_transcription.completed', { item_id: item, content_index: 0, transcript: ASR_WORDS, usage })
  }

  const hear = (base64: string): void => {
    const pcm = Buffer.from(base64, 'base64')
    const detection = input()['turn_detection']
    if (!isObject(detection)) {
      buffered += pcm.length
      return
    }
    const silent = isSilent(pcm)
    if (!silent && !speaking) {
      speaking = true
      say('input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: id('item') })
      if (active !== undefined && detection['interrupt_response'] !== false) active.cancelled = true
    }
    if (speaking) buffered += pcm.length
    if (!silent || !speaking) return
    speaking = false
    say('input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id: id('item') })
    commit()
    if (detection['create_response'] !== false) void respond({})
  }

  const usageOf = (output: { text: number; audio: number }): JsonObject => {
    const text = 3 + countTokens(String(session['instructions'] ?? '')) + countTokens(JSON.stringify(session['tools'] ?? [])) + sumOf(items, 'text')
    const audio = sumOf(items, 'audio')
    const kept = { text: Math.min(cached.text, text), audio: Math.min(cached.audio, audio) }
    cached = { text: floor64(text), audio: floor64(audio) }
    return {
      total_tokens: text + audio + output.text + output.audio,
      input_tokens: text + audio,
      output_tokens: output.text + output.audio,
      input_token_details: {
        text_tokens: text,
        audio_tokens: audio,
        image_tokens: 0,
        cached_tokens: kept.text + kept.audio,
        cached_tokens_details: { text_tokens: kept.text, audio_tokens: kept.audio, image_tokens: 0 },
      },
      output_token_details: { text_tokens: output.text, audio_tokens: output.audio },
    }
  }

  const respond = async (asked: JsonObject): Promise<void> => {
    while (active?.cancelled === true) await pause(1)
    if (active !== undefined) return wrong('conversation_already_has_active_response', 'Conversation already has an active response in progress.')
    const response = { id: id('resp'), cancelled: false }
    active = response
    const last = items.at(-1)?.json ?? {}
    const answer = answerTo(saidIn(items), list(session['tools']), last['type'] === 'function_call_output' ? String(last['output']) : undefined, at.chunkMs)
    const { knobs } = answer
    at.book.start({
      requestId: response.id,
      callId: `${at.callId}_${++calls}`,
      dialect: 'openai-realtime',
      model: at.model,
      stream: true,
      fault: knobs.fault,
      startedAt: Date.now(),
    })
    const speaks = list(asked['output_modalities'] ?? session['output_modalities']).includes('audio')
    const base = { id: response.id, object: 'realtime.response', conversation_id: 'conv_1', output: [] as Json[], metadata: null, status_details: null }
    say('response.created', { response: { ...base, status: 'in_progress', usage: null } })
    const item = answer.tool
      ? { id: id('item'), type: 'function_call', name: answer.tool.name, call_id: id('call'), arguments: '', status: 'in_progress' }
      : { id: id('item'), type: 'message', role: 'assistant', status: 'in_progress', content: [] }
    const where = { response_id: response.id, item_id: item.id, output_index: 0, content_index: 0 }
    say('response.output_item.added', { ...where, item })
    const output = { text: 4, audio: 0 }
    const words = answer.tool ? JSON.stringify(answer.tool.args) : answer.text
    const cap = typeof session['max_output_tokens'] === 'number' ? session['max_output_tokens'] : Infinity
    let sent = ''
    let events = 0
    const isGone = () => response.cancelled || at.socket.readyState !== at.socket.OPEN
    const isStopped = () => isGone() || output.text + output.audio >= cap
    await pause(knobs.first)
    for (const part of inPieces(words, knobs.pieces)) {
      if (isStopped()) break
      if (knobs.fault === 'stall' && events >= (knobs.event ?? 2)) return
      if (knobs.fault === 'cut' && events >= (knobs.event ?? 2)) break
      events++
      sent += part
      output.text += countTokens(part)
      if (answer.tool) say('response.function_call_arguments.delta', { ...where, call_id: 'call_id' in item ? item.call_id : '', delta: part })
      else if (!speaks) say('response.output_text.delta', { ...where, delta: part })
      else {
        const ms = msOf(part)
        say('response.output_audio_transcript.delta', { ...where, delta: part })
        say('response.output_audio.delta', { ...where, delta: tone(ms, RATE, (output.audio * SPOKEN_MS) % 60_000) })
        output.audio += Math.ceil(ms / SPOKEN_MS)
      }
      await pause(knobs.chunk)
    }
    const isCut = knobs.fault === 'cut'
    const status = response.cancelled || isGone() ? 'cancelled' : output.text + output.audio >= cap ? 'incomplete' : 'completed'
    const done: JsonObject = answer.tool
      ? { ...item, arguments: sent, status }
      : { ...item, status, content: [speaks ? { type: 'output_audio', transcript: sent } : { type: 'output_text', text: sent }] }
    if (answer.tool)
      say('response.function_call_arguments.done', { ...where, name: answer.tool.name, call_id: 'call_id' in item ? item.call_id : '', arguments: sent })
    say('response.output_item.done', { ...where, item: done })
    const usage = usageOf(output)
    const nothing = knobs.fault === 'usage-none'
    const counts = { ...NOTHING, input: Number(usage['input_tokens']), output: output.text + output.audio }
    at.book.end(response.id, { status: isGone() || isCut ? 'aborted' : 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
    items.push({ json: done, text: output.text, audio: output.audio })
    if (active === response) active = undefined
    if (isCut) return at.socket.terminate()
    say('response.done', {
      response: {
        ...base,
        output: [done],
        status,
        status_details: status === 'cancelled' ? { type: 'cancelled', reason: 'client_cancelled' } : null,
        usage: nothing ? null : usage,
      },
    })
  }

  const handle = (event: JsonObject): void => {
    switch (event['type']) {
      case 'session.update': {
        const wanted = obj(event['session'])
        const audio = obj(wanted['audio'])
        const now = obj(session['audio'])
        session = {
          ...session,
          ...wanted,
          id: session['id']!,
          model: at.model,
          audio: { input: { ...obj(now['input']), ...obj(audio['input']) }, output: { ...obj(now['output']), ...obj(audio['output']) } },
        }
        return say('session.updated', { session })
      }
      case 'conversation.item.create': {
        const item = obj(event['item'])
        return add(item, countTokens(textIn(item)) + 2, 0)
      }
      case 'input_audio_buffer.append':
        return hear(String(event['audio'] ?? ''))
      case 'input_audio_buffer.commit':
        return buffered === 0 ? wrong('input_audio_buffer_commit_empty', 'Error committing input audio buffer: buffer too small.') : commit()
      case 'input_audio_buffer.clear':
        buffered = 0
        return say('input_audio_buffer.cleared')
      case 'response.create':
        return void respond(obj(event['response']))
      case 'response.cancel':
        if (active === undefined) return wrong('response_cancel_not_active', 'Cancellation failed: no active response found')
        active.cancelled = true
        return
      default:
        return wrong('invalid_value', `Invalid value: '${String(event['type'])}'.`, 'type')
    }
  }

  at.socket.on('message', (data, isBinary) => {
    let event: unknown
    try {
      event = isBinary ? undefined : JSON.parse((data as Buffer).toString())
    } catch {
      event = undefined
    }
    if (isObject(event as Json)) handle(event as JsonObject)
    else wrong('invalid_json', 'Could not parse the event as JSON.')
  })
  say('session.created', { session })
}

const floor64 = (count: number) => count - (count % 64)
const sumOf = (items: readonly Item[], what: 'text' | 'audio') => items.reduce((sum, item) => sum + item[what], 0)

function textIn(item: JsonObject): string {
  if (typeof item['output'] === 'string') return item['output']
  return list(item['content'])
    .map((part) => String(obj(part)['text'] ?? ''))
    .join(' ')
}

/** What the user wrote last; nothing when they spoke. */
function saidIn(items: readonly Item[]): string {
  const last = items.findLast((item) => item.json['role'] === 'user')
  return last === undefined ? '' : textIn(last.json)
}
