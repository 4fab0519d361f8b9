import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawData, WebSocket } from 'ws'
import type { Breakers } from '../choice/breakers.ts'
import { readTopLevel } from '../json/members.ts'
import { geminiOptionRules, toSnakeCase } from '../dialects/gemini/billable-options.ts'
import { isProblem } from '../problem.ts'
import type { RequestRefusal } from '../errors.ts'
import { visitObjects, hasMemberValue, filterMembers } from '../json/elements.ts'
import { scanObject } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { shareNotes } from '../json/notes.ts'
import { isRaw } from '../usage/usage.ts'
import { readFrameMembersIn, readFrameMembers, parseFrameText, parseFrameValue } from './frames.ts'
import type { FrameMember } from './frames.ts'
import type { SocketSession } from './hub.ts'
import { listForwardedHeaders, prepareSession, findSocketModel } from './prepare.ts'
import { NO_LOAD } from './rules.ts'
import type { ClientFrame, Protocol, VendorEvent, CloseCause } from './rules.ts'
import { toFrameBuffer } from './send-frames.ts'
import { isLargeFrame, weighFrame } from './intake/weigh-frame.ts'
import type { AuthenticatedHandshake } from './handshake.ts'
import { parseLiveUsage } from '../dialects/realtime.ts'

/** Base64 characters per token of speech: input at 32 tokens a second and 8 kHz (never too few), output at 25 and 24 kHz. */
const INPUT_CHARS_PER_TOKEN = 650
const OUTPUT_CHARS_PER_TOKEN = 2_560
/** A video frame or an image at any resolution. */
const PICTURE_TOKENS = 1_120
/** Samples per second of 16-bit PCM by default, and pattern for a rate that the client specifies. */
const USUAL_RATE = 16_000
const RATE = /rate=(\d{4,6})/
const INLINE = Buffer.from('"inlineData"')
const TURN = Buffer.from('"modelTurn"')
const OUTPUT_TRANSCRIPTION = Buffer.from('"outputTranscription"')
const COMPLETE = Buffer.from('"turnComplete"')

/**
 * Gemini Live: each `usageMetadata` is a billed generation whose prompt is the whole session; it ends the model's current output or tool
 * call. https://ai.google.dev/gemini-api/docs/live-api/best-practices
 */
export function createLiveProtocol(cap: number | undefined): Protocol {
  let count = 0
  let current: string | undefined
  /** The turn is complete, but its figures have not arrived. */
  let waits = false

  const begin = (told: VendorEvent[]): string => {
    if (current !== undefined && waits) told.push({ kind: 'end', id: current, raw: undefined, isFailed: false, isAside: false })
    if (current === undefined || waits) {
      current = `turn_${++count}`
      waits = false
      told.push({ kind: 'begin', id: current })
    }
    return current
  }

  return {
    dialect: 'gemini-live',
    usageOf: parseLiveUsage,
    cap: () => cap,
    apart: () => undefined,
    // These models have a separate, short output limit.
    limit: undefined,
    cancel: undefined,
    heard: readClientFrame,
    told(frame): readonly VendorEvent[] {
      const pieces = readFrameMembers(frame)
      if (pieces === undefined) return []
      const told: VendorEvent[] = []
      const content = pieces.findLast((piece) => piece.key === 'serverContent')
      const call = pieces.findLast((piece) => piece.key === 'toolCall')
      const speaks = content !== undefined && (content.value.includes(TURN) || content.value.includes(OUTPUT_TRANSCRIPTION))
      if (speaks || call !== undefined) {
        const id = begin(told)
        told.push(buildOutputEvent(id, (content ?? call)!))
      }
      const raw = pieces.some((piece) => piece.key === 'usageMetadata') ? parseFrameValue(pieces, 'usageMetadata') : undefined
      if (isRaw(raw) && parseLiveUsage(raw) !== undefined) {
        waits = false
        const id = begin(told)
        told.push({ kind: 'end', id, raw, isFailed: false, isAside: false })
        current = undefined
      } else if (current !== undefined && content?.value.includes(COMPLETE) === true) waits = true
      return told
    },
    refuse: (socket, message) => socket.close(1007, `INVALID_ARGUMENT: ${message}`.slice(0, 120)),
    goodbye: closeWithReason,
  }
}

function buildOutputEvent(id: string, said: FrameMember): VendorEvent {
  const isAudio = said.value.includes(INLINE)
  return { kind: 'more', id, isAudio, tokens: said.value.length / (isAudio ? OUTPUT_CHARS_PER_TOKEN : 4) }
}

function readClientFrame(frame: Buffer): ClientFrame {
  const pieces = readFrameMembers(frame) ?? []
  const asks = requestsResponse(frame, pieces)
  const input = pieces.findLast((piece) => piece.key === 'realtimeInput' || piece.key === 'realtime_input')
  if (input === undefined) return { load: { ...NO_LOAD, text: frame.length }, begins: true, asks }
  const { value } = input
  const [head, tail] = [value.toString('latin1', 0, 200), value.toString('latin1', Math.max(0, value.length - 200))]
  const text = asks ? value.length : 0
  if (/"(?:video|image)\//.test(head) || /"mime_?[tT]ype":\s*"(?:image|video)\//.test(tail))
    return { load: { ...NO_LOAD, text, image: PICTURE_TOKENS }, begins: true, asks }
  if (value.length <= 400 && !value.includes('audio/')) return { load: { ...NO_LOAD, text: value.length }, begins: true, asks }
  const rate = Number((RATE.exec(head) ?? RATE.exec(tail))?.[1] ?? USUAL_RATE)
  // Two bytes per sample, four characters per three bytes.
  const speech = (value.length * 3) / 4 / 2 / Math.max(rate, 8_000)
  return { load: { ...NO_LOAD, text, audio: Math.ceil(value.length / INPUT_CHARS_PER_TOKEN) }, begins: true, asks, speech }
}

/** Wanted members of all values of that name, in its two spellings. */
function findNestedMembers(frame: Buffer, pieces: readonly FrameMember[], names: readonly string[], wanted: readonly string[]): readonly JsonMember[] {
  const found: JsonMember[] = []
  for (const { key, start, end } of pieces) if (names.includes(key)) scanObject(frame, start, end, wanted, found)
  return found
}

/** Inputs that trigger an answer: a complete turn, text to be spoken, the end of speech, a tool's result. */
function requestsResponse(frame: Buffer, pieces: readonly FrameMember[]): boolean {
  if (pieces.some((piece) => piece.key === 'toolResponse' || piece.key === 'tool_response')) return true
  if (findNestedMembers(frame, pieces, ['realtimeInput', 'realtime_input'], ['text', 'activityEnd', 'activity_end']).length > 0) return true
  return findNestedMembers(frame, pieces, ['clientContent', 'client_content'], ['turnComplete', 'turn_complete']).some(
    ({ start, end }) => end - start !== 5 || frame.toString('latin1', start, end) !== 'false',
  )
}

/** Close code and reason, as Google sends them; a reason has at most 123 bytes. */
const LIVE_CLOSE_REASONS: Readonly<Record<CloseCause, readonly [number, string]>> = {
  no_money: [1011, 'RESOURCE_EXHAUSTED: credit balance too low for another response. Add credit and connect again.'],
  limits: [1011, 'RESOURCE_EXHAUSTED: this API key has reached one of its limits. Connect again later.'],
  unavailable: [1011, 'UNAVAILABLE: the balance cannot be checked at the moment. Connect again shortly.'],
  revoked: [1008, 'UNAUTHENTICATED: the API key of this session was revoked.'],
  barred: [1008, 'PERMISSION_DENIED: this API key may not be used for this session any more.'],
  idle: [1000, 'Nothing was said for 15 minutes.'],
  longest: [1008, 'The session hit the maximum duration of 60 minutes.'],
  draining: [1001, 'UNAVAILABLE: this server is restarting. Connect again.'],
}

function closeWithReason(socket: WebSocket, why: CloseCause): void {
  socket.close(...LIVE_CLOSE_REASONS[why])
}

const SETUP_MS = 10_000
const COMMA = Buffer.from(',')
/** Maximum length of a Live model's output. https://ai.google.dev/gemini-api/docs/live-api/capabilities */
const WINDOW_TOKENS = 131_072
const CLIENT_TOOLS: ReadonlySet<string> = new Set(['functionDeclarations', toSnakeCase('functionDeclarations')])

/** Gemini Live: the handshake carries the key, the first frame names the model; until then no vendor is contacted. */
export function openLive(visit: AuthenticatedHandshake, breakers: Breakers, client: WebSocket): SocketSession {
  const since = Date.now()
  let inner: SocketSession | undefined
  let asked = false
  const leaving = new AbortController()
  client.on('error', () => undefined)
  client.once('close', () => leaving.abort())
  /** Frames received while the session is opening; the socket is paused, but a few may already be on their way. */
  const early: [RawData, boolean][] = []
  const listen = (data: RawData, isBinary: boolean): void => {
    if (asked) {
      early.push([data, isBinary])
      return
    }
    asked = true
    client.pause()
    startLive(visit, breakers, client, toFrameBuffer(data), leaving.signal).then(
      (session) => {
        inner = session
        client.removeListener('message', listen)
        for (const [later, binary] of early) client.emit('message', later, binary)
        client.resume()
      },
      (error: unknown) => {
        visit.deps.log.error({ error, requestId: visit.requestId }, 'live session failed')
        client.close(1011, 'UNAVAILABLE')
        client.resume()
      },
    )
  }
  client.on('message', listen)
  return {
    socket: client,
    look(now) {
      if (inner !== undefined) inner.look(now)
      else if (!asked && now - since >= SETUP_MS) client.close(1008, 'INVALID_ARGUMENT: the first message must be `setup`.')
    },
    drain() {
      if (inner === undefined) client.close(1001, 'UNAVAILABLE: this server is restarting. Connect again.')
      else inner.drain()
    },
    isOver: () => inner === undefined || inner.isOver(),
  }
}

async function startLive(
  visit: AuthenticatedHandshake,
  breakers: Breakers,
  client: WebSocket,
  frame: Buffer,
  signal: AbortSignal,
): Promise<SocketSession | undefined> {
  const problem = await weighFrame(frame)
  if (problem !== undefined) {
    client.close(1007, trimReason(`INVALID_ARGUMENT: ${problem.message}`))
    return undefined
  }
  const setup = readFrameMembers(frame)?.findLast((piece) => piece.key === 'setup')
  const members = setup === undefined ? undefined : readFrameMembersIn(frame, setup)
  const name = members === undefined ? undefined : parseFrameText(members, 'model')
  if (members === undefined || name === undefined) {
    client.close(1007, 'INVALID_ARGUMENT: the first message must be `setup` and name a model.')
    return undefined
  }
  const model = findSocketModel(visit, name.replace(/^models\//, ''), 'gemini-live')
  if ('cause' in model) {
    client.close(1008, `${name.slice(0, 50)} is not found, or is not supported for bidiGenerateContent.`)
    return undefined
  }
  if (isLargeFrame(frame)) {
    await nextTurn()
    shareNotes(frame, setup!.value, setup!.start)
  }
  const unsold = findUnsoldField(setup!)
  if (unsold !== undefined) {
    client.close(1007, trimReason(`INVALID_ARGUMENT: ${unsold}`))
    return undefined
  }
  const config = parseFrameValue(members, 'generationConfig')
  const cap = isRaw(config) && typeof config['maxOutputTokens'] === 'number' ? config['maxOutputTokens'] : undefined
  const version = /\.(v1\w*)\./.exec(visit.located.path)?.[1] ?? 'v1beta'
  const ready = await prepareSession({
    visit,
    model,
    protocol: createLiveProtocol(cap),
    breakers,
    path: () => `/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`,
    headers: listForwardedHeaders(visit),
    load: { ...NO_LOAD, text: frame.length, audio: isResumed(members) ? (model.contextTokens ?? WINDOW_TOKENS) : 0 },
    signal,
  })
  if (!('start' in ready)) {
    client.close(ready.cause === 'no_model' ? 1008 : 1011, formatReason(ready))
    return undefined
  }
  return ready.start(client, (route) =>
    route.upstreamModel === model.id && name.endsWith(model.id) ? frame : setSetupModel(frame, setup!, members, route.upstreamModel),
  )
}

/**
 * Field of the setup that we do not sell, if any. Searches in a session are not counted, and the output of the vendor's own tools is
 * unpredictable: only client-side tools are sold, and no other extras beyond tokens.
 */
function findUnsoldField({ value: setup }: FrameMember): string | undefined {
  const found = readTopLevel(setup, geminiOptionRules.wanted)
  if (!Array.isArray(found)) return undefined
  const asks = geminiOptionRules.read(setup, found)
  if (isProblem(asks)) return asks.message
  let hosted: string | undefined
  for (const list of filterMembers(setup, found, 'tools'))
    visitObjects(setup, list, undefined, (tool) => {
      hosted ??= tool.find((member) => hasMemberValue(setup, member) && !CLIENT_TOOLS.has(member.key))?.key
    })
  if (hosted !== undefined) return `Only \`functionDeclarations\` is sold in Live sessions. Leave \`${hosted.slice(0, 30)}\` out.`
  return asks.factors.length > 0 ? '`serviceTier` is not sold in Live sessions. Leave it out.' : undefined
}

/** True if the session resumes an earlier one, whose history is stored at the vendor and may fill the window with speech. */
function isResumed(members: readonly FrameMember[]): boolean {
  return members.some(({ key, value }) => (key === 'sessionResumption' || key === toSnakeCase('sessionResumption')) && hasHandle(value))
}
function hasHandle(resumption: Buffer): boolean {
  const found: JsonMember[] = []
  scanObject(resumption, 0, resumption.length, ['handle'], found)
  return found.some(({ start, end }) => !/^(?:null|"")$/.test(resumption.toString('latin1', start, Math.min(end, start + 5))))
}

/** The setup as received, except for the model's name at this upstream. */
function setSetupModel(frame: Buffer, setup: FrameMember, members: readonly FrameMember[], name: string): Buffer {
  const rest = members.filter((member) => member.key !== 'model').flatMap((member) => [COMMA, member.piece])
  const model = Buffer.from(`{"model":${JSON.stringify(`models/${name}`)}`)
  return Buffer.concat([frame.subarray(0, setup.start), model, ...rest, Buffer.from('}'), frame.subarray(setup.end)])
}

function formatReason(refused: RequestRefusal): string {
  const word = refused.cause === 'no_money' ? 'RESOURCE_EXHAUSTED' : refused.cause === 'no_model' ? 'NOT_FOUND' : 'UNAVAILABLE'
  return trimReason(`${word}: ${refused.message}`)
}

/** A reason has at most 123 bytes. */
const trimReason = (reason: string): string => Buffer.from(reason).subarray(0, 120).toString().replace(/�+$/, '')
