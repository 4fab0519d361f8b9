import type { WebSocket } from 'ws'
import { isStopped } from '../admission/limits.ts'
import type { HandleRequest } from '../client.ts'
import type { ApiKey } from '../deps.ts'
import { createCallKey } from '../ids.ts'
import { isRaw } from '../usage/usage.ts'
import { createChain, readInputItems, joinItems, convertOutputItems } from './chain.ts'
import type { Chain, ChainMemory } from './chain.ts'
import { buildErrorFrame, isTerminal, readCreate, buildRefusalFrame, buildWarmUpEvents, addLane } from './create.ts'
import type { ResponseCreate } from './create.ts'
import { readFrameType } from './frames.ts'
import type { SocketSession } from './hub.ts'
import { openPipe } from './pipe.ts'
import type { FrameRoom } from './room.ts'
import { sendTextFrame } from './send-frames.ts'
import { MAX_CLIENT_FRAME_BYTES, weighFrame } from './intake/weigh-frame.ts'
import { startTurn } from './turn.ts'
import type { RunningTurn } from './turn.ts'
import type { AuthenticatedHandshake } from './handshake.ts'

/** Maximum connection time of an hour, like the vendor's. */
const MAX_CONNECTION_MS = 3_600_000
/** Turns that may be queued behind the running ones, and lanes that may run at once. */
const MAX_WAITING_TURNS = 32
const LANES = 16
const WAITING_BYTES = 32 * 1024 * 1024
const LIMIT_MESSAGE = 'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.'

interface Lane {
  turn: RunningTurn | undefined
  readonly queue: ResponseCreate[]
}

/** One socket that speaks Responses. Plain data, like a call. */
interface ResponsesConnection {
  readonly visit: AuthenticatedHandshake
  readonly socket: WebSocket
  readonly room: FrameRoom
  readonly handle: HandleRequest
  readonly chain: Chain
  readonly lanes: Map<string, Lane>
  waiting: number
  waitingBytes: number
  closing: { readonly code: number; readonly reason: string } | undefined
  readonly endsAt: number
}

/**
 * Responses over a WebSocket, served here: each `response.create` becomes an ordinary streamed call of the relay, so any model answers, and
 * holds, limits, failover and billing are those of HTTP. The connection's memory is in chain.ts.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 */
export function openResponses(
  visit: AuthenticatedHandshake,
  socket: WebSocket,
  room: FrameRoom,
  handle: ResponsesConnection['handle'],
  memory: ChainMemory,
): SocketSession {
  const talk: ResponsesConnection = {
    visit,
    socket,
    room,
    handle,
    chain: createChain(memory),
    lanes: new Map(),
    waiting: 0,
    waitingBytes: 0,
    closing: undefined,
    endsAt: Date.now() + MAX_CONNECTION_MS,
  }
  const failed = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'frame failed')
    socket.terminate()
  }
  socket.on('message', openPipe(socket, (frame, isBinary) => weighAndHandle(talk, frame, isBinary), failed).feed)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    for (const lane of talk.lanes.values()) lane.turn?.leave()
    talk.lanes.clear()
    talk.chain.clear()
  })
  return {
    socket,
    look(now) {
      if (now >= talk.endsAt && talk.closing === undefined) {
        sendTextFrame(socket, buildErrorFrame(400, 'invalid_request_error', 'websocket_connection_limit_reached', LIMIT_MESSAGE))
        closeWhenIdle(talk, 1000, 'connection limit reached')
      }
      const found = visit.deps.findKey(visit.secret)
      const judge = (key: ApiKey | undefined): void => {
        if (isStopped(key, now)) closeWhenIdle(talk, 1008, 'the API key was revoked')
      }
      if (found instanceof Promise) found.then(judge, () => undefined)
      else judge(found)
    },
    drain: () => closeWhenIdle(talk, 1001, 'going away'),
    // turns are calls, and end as calls do
    isOver: () => true,
  }
}

/** Read a large frame only after it is walked. */
function weighAndHandle(talk: ResponsesConnection, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (isBinary) return sendTextFrame(talk.socket, buildErrorFrame(400, 'invalid_request_error', 'invalid_message', 'Send events as text frames of JSON.'))
  const walk = weighFrame(frame)
  if (walk === undefined) return onFrame(talk, frame)
  return walk.then((problem) => {
    if (problem !== undefined) sendTextFrame(talk.socket, buildErrorFrame(400, 'invalid_request_error', 'invalid_json', problem.message))
    else if (talk.socket.readyState === talk.socket.OPEN) onFrame(talk, frame)
  })
}

function onFrame(talk: ResponsesConnection, frame: Buffer): void {
  const type = readFrameType(frame)
  // Acknowledgement of the client.
  if (type === 'response.processed') return
  const create = readCreate(frame, type)
  if ('problem' in create) {
    sendTextFrame(talk.socket, addLane(create.problem, create.lane))
    return
  }
  if (talk.closing !== undefined) {
    sendTextFrame(
      talk.socket,
      addLane(
        buildErrorFrame(503, 'server_error', 'service_unavailable', 'This connection is closing. Open a new one and send the request there.'),
        create.lane,
      ),
    )
    return
  }
  const name = create.lane ?? ''
  const lane = talk.lanes.get(name) ?? { turn: undefined, queue: [] }
  if (
    talk.waiting >= MAX_WAITING_TURNS ||
    (!talk.lanes.has(name) && talk.lanes.size >= LANES) ||
    (lane.turn !== undefined && !canQueueFrame(talk, frame.length))
  ) {
    sendTextFrame(
      talk.socket,
      addLane(
        buildErrorFrame(429, 'rate_limit_exceeded', 'rate_limit_exceeded', 'Too many responses wait on this connection. Wait for one to end.'),
        create.lane,
      ),
    )
    return
  }
  talk.lanes.set(name, lane)
  lane.queue.push(create)
  talk.waiting++
  talk.waitingBytes += create.bytes
  if (lane.turn === undefined) runNextTurn(talk, name, lane)
}

/** A frame whose turn begins at once becomes a call, with its own memory reservation. */
function canQueueFrame(talk: ResponsesConnection, bytes: number): boolean {
  const all = talk.waitingBytes + bytes
  return all <= WAITING_BYTES && talk.room.wait(all)
}

function runNextTurn(talk: ResponsesConnection, name: string, lane: Lane): void {
  if (talk.socket.readyState !== talk.socket.OPEN) lane.queue.length = 0
  for (let create = lane.queue.shift(); create !== undefined; create = lane.queue.shift()) {
    talk.waiting--
    talk.waitingBytes -= create.bytes
    talk.room.wait(talk.waitingBytes)
    if (beginTurn(talk, name, lane, create)) return
  }
  talk.lanes.delete(name)
  closeWhenIdle(talk)
}

/** Returns false if the turn is already over. */
function beginTurn(talk: ResponsesConnection, name: string, lane: Lane, create: ResponseCreate): boolean {
  const { socket, chain } = talk
  const before = create.previous === undefined ? undefined : chain.find(create.previous)
  if (create.previous !== undefined && before === undefined && !create.stored) {
    sendTextFrame(
      socket,
      addLane(
        buildErrorFrame(
          400,
          'invalid_request_error',
          'previous_response_not_found',
          `Previous response with id '${create.previous}' not found.`,
          'previous_response_id',
        ),
        create.lane,
      ),
    )
    return false
  }
  const all = (before?.length ?? 0) + create.bytes
  if (all > MAX_CLIENT_FRAME_BYTES) {
    const message = `What this connection remembers and this frame come to ${all} bytes, of ${MAX_CLIENT_FRAME_BYTES} accepted here. Send the request over HTTP.`
    sendTextFrame(socket, addLane(buildErrorFrame(413, 'invalid_request_error', 'request_too_large', message), create.lane))
    return false
  }
  const fresh = readInputItems(create.input)
  const items = before === undefined || fresh === undefined ? fresh : joinItems(before, fresh)
  if (!create.generate) {
    const id = `resp_${createCallKey(Date.now())}`
    chain.keep(id, items ?? Buffer.alloc(0))
    for (const frame of buildWarmUpEvents(id, create.model)) sendTextFrame(socket, addLane(frame, create.lane))
    return false
  }
  let ended = false
  lane.turn = startTurn(talk.handle, talk.visit.req, talk.visit.secret, '/v1/responses', create.body(before === undefined ? undefined : items), {
    event(json, taken) {
      if (isTerminal(json)) {
        ended = true
        rememberResponse(talk, create, json, items)
      }
      if (readFrameType(json) === 'error') ended = true
      sendTextFrame(socket, addLane(json, create.lane), taken)
    },
    refused(status, body, retryAfter) {
      ended = true
      // The vendor forgets a response that a failed turn continued, so that a client never builds on content that it cannot see.
      if (create.previous !== undefined) chain.forget(create.previous)
      sendTextFrame(socket, addLane(buildRefusalFrame(status, body, retryAfter), create.lane))
    },
    end() {
      if (!ended)
        sendTextFrame(
          socket,
          addLane(buildErrorFrame(502, 'server_error', 'upstream_failed', 'The answer ended before its end. Send the request again.'), create.lane),
        )
      lane.turn = undefined
      runNextTurn(talk, name, lane)
    },
  })
  return true
}

function rememberResponse(talk: ResponsesConnection, create: ResponseCreate, json: Buffer, items: Buffer | undefined): void {
  if (items === undefined) return
  let event: unknown
  try {
    event = JSON.parse(json.toString())
  } catch {
    return
  }
  const response = isRaw(event) && isRaw(event['response']) ? event['response'] : {}
  const { id, status } = response
  if (typeof id !== 'string' || status === 'failed') {
    if (create.previous !== undefined) talk.chain.forget(create.previous)
    return
  }
  const output = convertOutputItems(response['output'])
  if (items.length + output.length <= MAX_CLIENT_FRAME_BYTES) talk.chain.keep(id, joinItems(items, output))
  else talk.chain.forget(id)
}

/** Starts nothing new from now on; `code` is the close code. */
function closeWhenIdle(talk: ResponsesConnection, code?: number, reason = ''): void {
  if (code !== undefined) talk.closing ??= { code, reason }
  if (talk.closing !== undefined && talk.lanes.size === 0) talk.socket.close(talk.closing.code, talk.closing.reason)
}
