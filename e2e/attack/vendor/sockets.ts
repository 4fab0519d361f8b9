import type { IncomingMessage, Server } from 'node:http'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { findStrategyName } from './book.ts'
import type { AttackVendorBook } from './book.ts'
import { estimateTokens } from './prompt-contents.ts'
import { PLAIN_RATE, computeUsageCost } from './tariff.ts'
import type { Tariff, UsedUnits } from './tariff.ts'

/** Base64 characters of PCM at 24 kHz per audio token: 100 ms. */
const CHARS_PER_TOKEN = 6_400
const LIVE_CHARS_PER_TOKEN = 1_707
/** Prefix of audio that counts as speech (base64); anything else is silence. */
export const SPEECH_PREFIX = 'UklG'
/** Delays between speech and response; sessions rotate through them. */
const RESPONSE_DELAYS_MS = [100, 1_500, 4_000] as const
let sessionCount = 0
const nextResponseDelay = (): number => RESPONSE_DELAYS_MS[sessionCount++ % RESPONSE_DELAYS_MS.length]!
/** Delay between a request for a response and its start. */
const START_DELAY_MS = 20
/** Tokens that one use of a hosted tool adds to a session. */
const FETCHED_TOKENS = 100_000

interface Session {
  who: string
  tariff: Tariff
  /** Contents of the conversation: the input of the next response. */
  text: number
  audio: number
  cap: number
  hearsMs: number
  /** True with hosted tools: each response uses them, and the next one reads their results. */
  fetches: boolean
  /** Scheduled responses. */
  readonly due: Set<DueResponse>
}

interface DueResponse {
  readonly at: number
  readonly act: () => void
}

/** Serves the vendors' sockets. Each response is billed the whole session as input, and the maximum output under its cap as audio. */
export function acceptVendorSockets(server: Server, book: AttackVendorBook): void {
  const hub = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024, autoPong: false })
  server.on('upgrade', (req, socket, head) => {
    hub.handleUpgrade(req, socket, head, (client) => {
      const url = new URL(req.url ?? '/', 'http://vendor')
      client.on('error', () => undefined)
      if (url.pathname.endsWith('/realtime')) runRealtimeSession(client, req, book, url.searchParams.get('model') ?? '')
      else runLiveSession(client, req, book)
    })
  })
}

const areHosted = (tools: unknown, isHosted: (tool: any) => boolean): boolean => Array.isArray(tools) && tools.some(isHosted)

function answerLater(session: Session, act: () => void): void {
  const due: DueResponse = { at: Date.now() + session.hearsMs, act }
  session.due.add(due)
  setTimeout(() => answerDue(session, due), session.hearsMs).unref()
}

function answerDue(session: Session, due: DueResponse): void {
  if (session.due.delete(due)) due.act()
}

/** Sends due responses before the pong: on a starved machine Node reads a socket before it runs timers that are already due. */
function echo(client: WebSocket, data: Buffer, session: Session | undefined): void {
  for (const due of session?.due ?? []) if (due.at <= Date.now()) answerDue(session!, due)
  client.pong(data)
}

function bill(book: AttackVendorBook, session: Session, path: string, used: UsedUnits): string {
  const nano = computeUsageCost(session.tariff, used, PLAIN_RATE)
  const entry = book.add({ who: session.who, path, model: session.tariff.id, nano, asked: '', used: JSON.stringify(used) })
  entry.status = 'whole'
  return entry.id
}

function runRealtimeSession(client: WebSocket, req: IncomingMessage, book: AttackVendorBook, model: string): void {
  const tariff = book.tariffs.get(model)
  if (tariff === undefined) return client.close(1008, 'no such model')
  const session: Session = {
    who: findStrategyName(req.headers),
    tariff,
    text: 0,
    audio: 0,
    cap: tariff.mostOutput,
    hearsMs: nextResponseDelay(),
    fetches: false,
    due: new Set(),
  }
  const say = (event: object): void => {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(event))
  }
  say({
    type: 'session.created',
    session: {
      type: 'realtime',
      model,
      max_output_tokens: 'inf',
      audio: { input: { format: { type: 'audio/pcm', rate: 24_000 } }, output: { format: { type: 'audio/pcm', rate: 24_000 } } },
    },
  })
  client.on('ping', (data) => echo(client, data, session))
  client.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as any
    session.who ||= findStrategyName({}, data.toString('latin1', 0, 4_000))
    if (frame.type === 'session.update') {
      const most = frame.session?.max_output_tokens
      session.cap = typeof most === 'number' ? most : tariff.mostOutput
      session.text += estimateTokens(JSON.stringify(frame.session?.instructions ?? ''))
      session.fetches ||= areHosted(frame.session?.tools, (tool) => tool.type !== 'function')
      say({ type: 'session.updated', session: { ...frame.session, max_output_tokens: most ?? 'inf' } })
    }
    if (frame.type === 'input_audio_buffer.append') {
      session.audio += String(frame.audio).length / CHARS_PER_TOKEN
      // Speech starts a response by itself, even after the client has left.
      if (String(frame.audio).startsWith(SPEECH_PREFIX)) answerLater(session, () => answerRealtime(say, book, session, {}))
    }
    if (frame.type === 'conversation.item.create') session.text += estimateTokens(JSON.stringify(frame.item))
    if (frame.type === 'response.create') setTimeout(() => answerRealtime(say, book, session, frame.response ?? {}), START_DELAY_MS).unref()
    if (frame.type === 'nonsense')
      say({ type: 'error', error: { type: 'invalid_request_error', code: 'invalid_value', message: 'No such event.', event_id: null } })
  })
}

function answerRealtime(say: (event: object) => void, book: AttackVendorBook, session: Session, response: any): void {
  const own = response.max_output_tokens
  const output = Math.min(typeof own === 'number' ? own : own === 'inf' ? session.tariff.mostOutput : session.cap, session.tariff.mostOutput)
  const room = session.tariff.window - output
  // A response outside the conversation that has its own input does not read the session.
  const isApart = response.conversation === 'none' && Array.isArray(response.input)
  if (!isApart) session.text += estimateTokens(JSON.stringify([response.input ?? '', response.instructions ?? '']))
  const audio = isApart ? 0 : Math.min(room, Math.floor(session.audio))
  const input = isApart ? estimateTokens(JSON.stringify(response.input)) + 10 : Math.min(room - audio, session.text + 10)
  const isText = (response.output_modalities ?? response.modalities ?? ['audio']).every((one: string) => one === 'text')
  const used: UsedUnits = isText ? { input, audioInput: audio, output } : { input, audioInput: audio, audioOutput: output }
  const id = bill(book, session, '/v1/realtime', used)
  if (session.fetches || areHosted(response.tools, (tool) => tool.type !== 'function')) session.text += FETCHED_TOKENS
  if (response.conversation !== 'none') session[isText ? 'text' : 'audio'] += output
  const spoken = isText ? { text_tokens: output, audio_tokens: 0 } : { text_tokens: 0, audio_tokens: output }
  const usage = {
    total_tokens: input + audio + output,
    input_tokens: input + audio,
    output_tokens: output,
    input_token_details: { text_tokens: input, audio_tokens: audio, cached_tokens: 0 },
    output_token_details: spoken,
  }
  say({
    type: 'response.created',
    response: { id, object: 'realtime.response', status: 'in_progress', conversation_id: response.conversation === 'none' ? null : 'conv' },
  })
  say({ type: 'response.output_audio_transcript.delta', response_id: id, item_id: 'item', output_index: 0, content_index: 0, delta: 'hello' })
  say({
    type: 'response.done',
    response: { id, object: 'realtime.response', status: 'completed', conversation_id: response.conversation === 'none' ? null : 'conv', output: [], usage },
  })
}

function runLiveSession(client: WebSocket, req: IncomingMessage, book: AttackVendorBook): void {
  let session: Session | undefined
  const say = (event: object): void => {
    if (client.readyState === client.OPEN) client.send(Buffer.from(JSON.stringify(event)))
  }
  client.on('ping', (data) => echo(client, data, session))
  client.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as any
    if (frame.setup) {
      const tariff = book.tariffs.get(String(frame.setup.model).replace(/^models\//, ''))
      if (tariff === undefined) return client.close(1008, 'no such model')
      const most = frame.setup.generationConfig?.maxOutputTokens ?? frame.setup.generation_config?.max_output_tokens
      session = {
        who: findStrategyName(req.headers, data.toString('latin1', 0, 4_000)),
        tariff,
        text: estimateTokens(JSON.stringify(frame.setup)),
        audio: 0,
        cap: most ?? 8_192,
        hearsMs: nextResponseDelay(),
        fetches: areHosted(frame.setup.tools, (tool) => Object.keys(tool).some((name) => !/^function_?declarations$/i.test(name))),
        due: new Set(),
      }
      return say({ setupComplete: {} })
    }
    if (session === undefined) return
    const media = frame.realtimeInput?.audio ?? frame.realtimeInput?.mediaChunks?.[0]
    if (media) session.audio += String(media.data).length / LIVE_CHARS_PER_TOKEN
    // Speech, or text sent as realtime input, is answered after a delay.
    if (String(media?.data).startsWith(SPEECH_PREFIX) || frame.realtimeInput?.text) {
      const heard = session
      answerLater(heard, () => turn(say, book, heard))
    }
    const content = frame.clientContent ?? frame.client_content
    if (content) session.text += estimateTokens(JSON.stringify(content.turns ?? ''))
    if (content?.turnComplete ?? content?.turn_complete ?? frame.realtimeInput?.activityEnd) turn(say, book, session)
  })
}

function turn(say: (event: object) => void, book: AttackVendorBook, session: Session): void {
  const output = session.cap
  const audio = Math.min(session.tariff.window - output, Math.floor(session.audio))
  const input = Math.min(session.tariff.window - output - audio, session.text)
  bill(book, session, '/live', { input, audioInput: audio, audioOutput: output })
  session.audio += output
  if (session.fetches) session.text += FETCHED_TOKENS
  const prompt = [
    { modality: 'TEXT', tokenCount: input },
    { modality: 'AUDIO', tokenCount: audio },
  ]
  say({ serverContent: { modelTurn: { parts: [{ text: 'hello' }] } } })
  say({
    serverContent: { generationComplete: true, turnComplete: true },
    usageMetadata: {
      promptTokenCount: input + audio,
      responseTokenCount: output,
      totalTokenCount: input + audio + output,
      promptTokensDetails: prompt,
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: output }],
    },
  })
}
