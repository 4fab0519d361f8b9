import type { WebSocket } from 'ws'
import type { HotDeps, GatewayModel } from '../deps.ts'
import { findUnsoldRealtimeField } from '../dialects/openai/realtime-options.ts'
import { parseRealtimeUsage } from '../dialects/realtime.ts'
import { createCallKey } from '../ids.ts'
import { decodeShortText, visitObjects, filterMembers } from '../json/elements.ts'
import { findMember, scanObject, parseRange } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { isRaw, readObjectPart } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'
import { hasAmbiguousType, readFrameType } from './frames.ts'
import { NO_LOAD } from './rules.ts'
import type { ClientFrame, Protocol, VendorEvent, CloseCause } from './rules.ts'
import { sendTextFrame } from './send-frames.ts'
import { SPEECH_TOKENS_PER_SECOND } from './session/need.ts'
import { MAX_VALUE_BYTES, isLargeFrame } from './intake/weigh-frame.ts'

/** Settings that the relay reads; instructions, tools and content may be large and are not read. */
const SETTINGS = [
  'audio',
  'max_output_tokens',
  'max_response_output_tokens',
  'turn_detection',
  'input_audio_transcription',
  'input_audio_format',
  'output_audio_format',
]
const OPEN_OBJECT = 123

/** Settings of an event's session or response, the last of each name; undefined if one is longer than any valid setting. */
function readFrameSettings(frame: Buffer, name: 'session' | 'response'): Raw | undefined {
  const outer: JsonMember[] = []
  if (scanObject(frame, 0, frame.length, [name], outer) < 0) return {}
  const range = outer.at(-1)
  const found: JsonMember[] = []
  if (range === undefined || frame[range.start] !== OPEN_OBJECT || scanObject(frame, range.start, range.end, SETTINGS, found) < 0) return {}
  const last = new Map(found.map((member) => [member.key, member]))
  const settings: Record<string, unknown> = {}
  for (const [key, member] of last) {
    if (member.end - member.start > MAX_VALUE_BYTES) return undefined
    settings[key] = parseRange(frame, member)
  }
  return settings
}

const PICTURE = Buffer.from('"input_image"')

/**
 * True if an event may contain an image, whose bytes are not all text. A large event is parsed rather than searched, at the places where
 * the vendor accepts images: images elsewhere count with all their bytes.
 */
function mayContainPicture(frame: Buffer): boolean {
  if (!isLargeFrame(frame)) return frame.includes(PICTURE)
  let isFound = false
  const lookAtItem = (members: readonly JsonMember[]): void => {
    for (const content of filterMembers(frame, members, 'content'))
      visitObjects(frame, content, ['type'], (part) => {
        isFound ||= part.length === 1 && decodeShortText(frame, part[0]) === 'input_image'
      })
  }
  const found: JsonMember[] = []
  scanObject(frame, 0, frame.length, ['item', 'response'], found)
  for (const item of filterMembers(frame, found, 'item')) visitObjects(frame, item, ['content'], lookAtItem)
  for (const response of filterMembers(frame, found, 'response'))
    visitObjects(frame, response, ['input'], (members) => {
      for (const input of filterMembers(frame, members, 'input')) visitObjects(frame, input, ['content'], lookAtItem)
    })
  return isFound
}

/** Base64 characters per token: 100 ms of input speech, 50 ms of output; PCM at 24 kHz, or G.711 at 8 kHz. */
const INPUT_CHARS_PER_TOKEN = { pcm: 6_400, g711: 1_066 }
const OUTPUT_CHARS_PER_TOKEN = { pcm: 3_200, g711: 533 }
/** An image of any size. */
const PICTURE_TOKENS = 3_000
const DELTA = ['response_id', 'delta']
/** The one error that only a `response.create` can cause. */
const ACTIVE_RESPONSE_CODE = 'conversation_already_has_active_response'
const PASS_EVENTS: readonly VendorEvent[] = [{ kind: 'pass' }]

/** Settings of one session. */
interface State {
  readonly deps: HotDeps
  /** True if the session's key may use a separately billed model. */
  readonly mayUse: (model: GatewayModel) => boolean
  heardChars: number
  spokenChars: number
  cap: number | undefined
  transcriber: string | undefined
  /** Output token limit sent to the vendor. */
  lid: number | undefined
  /** The vendor answers each turn of speech automatically. */
  listens: boolean
}

/**
 * OpenAI Realtime: `response.created` begins a response and `response.done` ends it, with its usage; transcription is billed separately.
 * https://developers.openai.com/api/docs/guides/realtime-costs
 */
export function createRealtimeProtocol(deps: HotDeps, mayUse: (model: GatewayModel) => boolean = () => true): Protocol {
  const s: State = {
    deps,
    mayUse,
    heardChars: INPUT_CHARS_PER_TOKEN.g711,
    spokenChars: OUTPUT_CHARS_PER_TOKEN.pcm,
    cap: undefined,
    transcriber: undefined,
    lid: undefined,
    listens: true,
  }
  return {
    dialect: 'openai-realtime',
    usageOf: parseRealtimeUsage,
    cap: () => s.cap,
    apart: () => (s.transcriber === undefined ? undefined : deps.findModel(s.transcriber)),
    limit(tokens) {
      s.lid = tokens
      return Buffer.from(`{"type":"session.update","session":{"type":"realtime","max_output_tokens":${tokens}}}`)
    },
    cancel: Buffer.from('{"type":"response.cancel"}'),
    heard: (frame, isBinary) => readClientFrame(s, frame, isBinary),
    told: (frame) => readVendorFrame(s, frame),
    refuse: (socket, message) => sendTextFrame(socket, errorEvent('invalid_request_error', 'invalid_event', message)),
    goodbye: closeWithError,
  }
}

/** Takes the settings from the vendor's session object, the only reliable source. */
function applyVendorSettings(s: State, session: Raw): void {
  const input = readObjectPart(readObjectPart(session, 'audio'), 'input')
  const output = readObjectPart(readObjectPart(session, 'audio'), 'output')
  s.heardChars = isG711(readObjectPart(input, 'format')['type'] ?? session['input_audio_format']) ? INPUT_CHARS_PER_TOKEN.g711 : INPUT_CHARS_PER_TOKEN.pcm
  s.spokenChars = isG711(readObjectPart(output, 'format')['type'] ?? session['output_audio_format']) ? OUTPUT_CHARS_PER_TOKEN.g711 : OUTPUT_CHARS_PER_TOKEN.pcm
  const most = session['max_output_tokens'] ?? session['max_response_output_tokens']
  s.cap = typeof most === 'number' ? most : undefined
  s.transcriber = readTranscriber(session)
  s.listens = readTurnDetection(session) ?? true
}

function readClientFrame(s: State, frame: Buffer, isBinary: boolean): ClientFrame {
  if (isBinary) return refuseFrame(errorEvent('invalid_request_error', 'invalid_message', 'Send events as text frames of JSON.'))
  if (hasAmbiguousType(frame))
    return refuseFrame(errorEvent('invalid_request_error', 'invalid_event', 'Each event names one `type`, in plain letters.', 'type'))
  const type = readFrameType(frame)
  if (type === 'input_audio_buffer.append') {
    const audio = frame.length / s.heardChars
    const load = { ...NO_LOAD, audio: Math.ceil(audio) }
    return s.listens ? { load, begins: true, speech: audio / SPEECH_TOKENS_PER_SECOND } : { load }
  }
  const unsold =
    type === 'session.update' || type === 'response.create' ? findUnsoldRealtimeField(frame, type === 'session.update' ? 'session' : 'response') : undefined
  if (unsold !== undefined) return refuseFrame(errorEvent('invalid_request_error', 'unsupported_parameter', unsold.message, unsold.field))
  if (type === 'session.update') {
    const session = readFrameSettings(frame, 'session')
    const refusal = session === undefined ? buildSettingError() : checkSessionUpdate(s, session)
    if (refusal !== undefined) return refuseFrame(refusal)
  }
  const pictures = mayContainPicture(frame) ? PICTURE_TOKENS : 0
  const load = { text: Math.min(frame.length, pictures > 0 ? 30_000 : Infinity), audio: 0, image: pictures }
  if (type !== 'response.create') return { load, begins: type === 'input_audio_buffer.commit' }
  const response = readFrameSettings(frame, 'response')
  if (response === undefined) return refuseFrame(buildSettingError())
  const own = readOutputCap(response)
  if (s.lid !== undefined && own !== undefined && own > s.lid) return refuseFrame(buildCapError(s.lid, 'response.max_output_tokens'))
  return { load, begins: true, asks: true, cap: own, eventId: decodeShortText(frame, findMember(frame, 0, frame.length, 'event_id')) }
}

const refuseFrame = (refusal: Buffer): ClientFrame => ({ load: NO_LOAD, refusal })

/** Handles a session update of the client; refuses unsupported settings. */
function checkSessionUpdate(s: State, session: Raw): Buffer | undefined {
  const most = readOutputCap(session)
  if (s.lid !== undefined && most !== undefined && most > s.lid) return buildCapError(s.lid, 'session.max_output_tokens')
  // A higher cap applies at once, a lower one when the vendor confirms it.
  if (most !== undefined && most > (s.cap ?? Infinity)) s.cap = Number.isFinite(most) ? most : undefined
  // Enabling automatic answers applies at once, disabling them when the vendor confirms it.
  s.listens ||= readTurnDetection(session) === true
  const wanted = readTranscriber(session)
  const model = wanted === undefined ? undefined : s.deps.findModel(wanted)
  const field = 'session.audio.input.transcription.model'
  if (model !== undefined && !s.mayUse(model))
    return errorEvent('invalid_request_error', 'model_not_allowed', `This API key may not use the model \`${model.id}\`.`, field)
  if (wanted === undefined || model?.prices.audioInput !== undefined || model?.prices.seconds !== undefined) return undefined
  return errorEvent('invalid_request_error', 'model_not_found', `The transcription model \`${wanted}\` is not served here.`, field)
}

function readVendorFrame(s: State, frame: Buffer): readonly VendorEvent[] {
  const type = readFrameType(frame)
  if (type.startsWith('response.')) return readResponseEvents(s, frame, type)
  if (type === 'error') {
    const error = readObjectPart(parseFrame(frame) ?? {}, 'error')
    return [{ kind: 'refused', eventId: readEventId(error), isAsk: error['code'] === ACTIVE_RESPONSE_CODE }]
  }
  if (type === 'session.created' || type === 'session.updated') applyVendorSettings(s, readObjectPart(parseFrame(frame) ?? {}, 'session'))
  if (type !== 'conversation.item.input_audio_transcription.completed' || s.transcriber === undefined) return PASS_EVENTS
  const raw = readObjectPart(parseFrame(frame) ?? {}, 'usage')
  return 'input_tokens' in raw || 'seconds' in raw ? [{ kind: 'apart', model: s.transcriber, raw }] : PASS_EVENTS
}

function readResponseEvents(s: State, frame: Buffer, type: string): readonly VendorEvent[] {
  if (type.endsWith('.delta')) return readDelta(frame, type, s.spokenChars)
  if (type !== 'response.created' && type !== 'response.done') return PASS_EVENTS
  const response = readObjectPart(parseFrame(frame) ?? {}, 'response')
  const id = typeof response['id'] === 'string' ? response['id'] : ''
  if (type === 'response.created') return [{ kind: 'begin', id }]
  const raw = isRaw(response['usage']) ? response['usage'] : undefined
  return [{ kind: 'end', id, raw, isFailed: response['status'] === 'failed', isAside: response['conversation_id'] === null }]
}

function readDelta(frame: Buffer, type: string, spokenChars: number): readonly VendorEvent[] {
  const found: JsonMember[] = []
  if (scanObject(frame, 0, frame.length, DELTA, found) < 0) return PASS_EVENTS
  const delta = found.findLast((member) => member.key === 'delta')
  const name = found.findLast((member) => member.key === 'response_id')
  if (delta === undefined || name === undefined) return PASS_EVENTS
  const id = frame.toString('utf8', name.start + 1, name.end - 1)
  const isAudio = type === 'response.output_audio.delta' || type === 'response.audio.delta'
  const chars = delta.end - delta.start - 2
  return [{ kind: 'more', id, isAudio, tokens: isAudio ? chars / spokenChars : chars / 4 }]
}

function parseFrame(frame: Buffer): Raw | undefined {
  try {
    const value: unknown = JSON.parse(frame.toString())
    return isRaw(value) ? value : undefined
  } catch {
    return undefined
  }
}

const readEventId = (of: Raw): string | undefined => (typeof of['event_id'] === 'string' ? of['event_id'] : undefined)
const isG711 = (format: unknown): boolean => typeof format === 'string' && /pcmu|pcma|g711/.test(format)

/** Undefined if not specified; `inf` means no limit. */
function readOutputCap(of: Raw): number | undefined {
  const most = of['max_output_tokens'] ?? of['max_response_output_tokens']
  return most === 'inf' ? Infinity : typeof most === 'number' ? most : undefined
}

/** True if the vendor answers turns automatically; undefined if the session does not specify it. */
function readTurnDetection(session: Raw): boolean | undefined {
  const input = readObjectPart(readObjectPart(session, 'audio'), 'input')
  const found = 'turn_detection' in input ? input['turn_detection'] : session['turn_detection']
  return found === undefined ? undefined : isRaw(found) && found['create_response'] !== false
}

function buildCapError(lid: number, param: string): Buffer {
  return errorEvent(
    'invalid_request_error',
    'credit_balance_exhausted',
    `Your credit balance covers ${lid} tokens of output in this session. Lower \`${param}\`, or add credit and connect again.`,
    param,
  )
}

function readTranscriber(session: Raw): string | undefined {
  const now = readObjectPart(readObjectPart(session, 'audio'), 'input')['transcription'] ?? session['input_audio_transcription']
  return isRaw(now) && typeof now['model'] === 'string' ? now['model'] : undefined
}

function errorEvent(type: string, code: string, message: string, param: string | null = null): Buffer {
  return Buffer.from(JSON.stringify({ type: 'error', event_id: `event_${createCallKey(Date.now())}`, error: { type, code, message, param, event_id: null } }))
}

const buildSettingError = (): Buffer => errorEvent('invalid_request_error', 'invalid_event', 'A setting of a session or a response has 65,536 bytes at most.')

const CLOSE_ERRORS: Readonly<Record<CloseCause, readonly [close: number, type: string, code: string, message: string]>> = {
  no_money: [1008, 'insufficient_quota', 'credit_balance_exhausted', 'Your credit balance is too low for another response. Add credit and connect again.'],
  limits: [
    1008,
    'rate_limit_exceeded',
    'rate_limit_exceeded',
    'This API key has reached one of its limits. Connect again later, or change them in the console.',
  ],
  unavailable: [1011, 'server_error', 'service_unavailable', 'Your balance cannot be checked at the moment. Connect again shortly; nothing more was charged.'],
  revoked: [1008, 'invalid_request_error', 'invalid_api_key', 'The API key of this session was revoked.'],
  barred: [1008, 'invalid_request_error', 'model_not_allowed', 'This API key may not be used for this session any more: what its owner allows it has changed.'],
  idle: [1000, 'invalid_request_error', 'session_expired', 'Nothing was said for 15 minutes.'],
  longest: [1001, 'invalid_request_error', 'session_expired', 'Your session hit the maximum duration of 60 minutes.'],
  draining: [1001, 'server_error', 'server_restarting', 'This server is restarting. Connect again.'],
}

function closeWithError(socket: WebSocket, why: CloseCause): void {
  const [close, type, code, message] = CLOSE_ERRORS[why]
  if (socket.readyState !== socket.OPEN) return
  socket.send(errorEvent(type, code, message), { binary: false })
  socket.close(close, code)
}
