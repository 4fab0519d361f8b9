import type { WebSocket } from 'ws'
import { isStopped } from '../admission/limits.ts'
import type { HandleRequest } from '../client.ts'
import type { ApiKey } from '../deps.ts'
import { newCallKey } from '../ids.ts'
import { isRaw } from '../usage/usage.ts'
import { createChain, inputItems, joinItems, outputItems } from './chain.ts'
import type { Chain, Memory } from './chain.ts'
import { errorFrame, isTerminal, readCreate, refusalFrame, warmUp, withLane } from './create.ts'
import type { Create } from './create.ts'
import { typeOf } from './frames.ts'
import type { Session } from './hub.ts'
import { openPipe } from './pipe.ts'
import type { FrameRoom } from './room.ts'
import { sayAll } from './say.ts'
import { FRAME_BYTES, weighFrame } from './intake/weigh-frame.ts'
import { startTurn } from './turn.ts'
import type { Turn } from './turn.ts'
import type { Visit } from './visit.ts'

/** As the vendor: a connection ends after an hour. */
const LONGEST_MS = 3_600_000
/** Turns that may wait behind the running ones, and lanes that may run at once. */
const WAITING = 32
const LANES = 16
const WAITING_BYTES = 32 * 1024 * 1024
const LIMIT_MESSAGE = 'Responses websocket connection limit reached (60 minutes). Create a new websocket connection to continue.'

interface Lane {
  turn: Turn | undefined
  readonly queue: Create[]
}

/** One socket that speaks Responses. Plain data, as a call is. */
interface Talk {
  readonly visit: Visit
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
 * Responses over a WebSocket, served here: each `response.create` becomes an ordinary streamed call of the relay, so any model
 * answers, and holds, limits, failover and billing are those of HTTP. What one connection remembers is in chain.ts.
 * https://developers.openai.com/api/docs/guides/websocket-mode
 */
export function openResponses(visit: Visit, socket: WebSocket, room: FrameRoom, handle: Talk['handle'], memory: Memory): Session {
  const talk: Talk = {
    visit,
    socket,
    room,
    handle,
    chain: createChain(memory),
    lanes: new Map(),
    waiting: 0,
    waitingBytes: 0,
    closing: undefined,
    endsAt: Date.now() + LONGEST_MS,
  }
  const failed = (error: unknown): void => {
    visit.deps.log.error({ error, requestId: visit.requestId }, 'frame failed')
    socket.terminate()
  }
  socket.on('message', openPipe(socket, (frame, isBinary) => weighed(talk, frame, isBinary), failed).feed)
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
        sayAll(socket, errorFrame(400, 'invalid_request_error', 'websocket_connection_limit_reached', LIMIT_MESSAGE))
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
    // its turns are calls, and end as such
    isOver: () => true,
  }
}

/** A large frame is read once it is walked over. */
function weighed(talk: Talk, frame: Buffer, isBinary: boolean): void | Promise<void> {
  if (isBinary) return sayAll(talk.socket, errorFrame(400, 'invalid_request_error', 'invalid_message', 'Send events as text frames of JSON.'))
  const walk = weighFrame(frame)
  if (walk === undefined) return onFrame(talk, frame)
  return walk.then((problem) => {
    if (problem !== undefined) sayAll(talk.socket, errorFrame(400, 'invalid_request_error', 'invalid_json', problem.message))
    else if (talk.socket.readyState === talk.socket.OPEN) onFrame(talk, frame)
  })
}

function onFrame(talk: Talk, frame: Buffer): void {
  const type = typeOf(frame)
  // Acknowledgement of the client.
  if (type === 'response.processed') return
  const create = readCreate(frame, type)
  if ('problem' in create) {
    sayAll(talk.socket, withLane(create.problem, create.lane))
    return
  }
  if (talk.closing !== undefined) {
    sayAll(
      talk.socket,
      withLane(errorFrame(503, 'server_error', 'service_unavailable', 'This connection is closing. Open a new one and send the request there.'), create.lane),
    )
    return
  }
  const name = create.lane ?? ''
  const lane = talk.lanes.get(name) ?? { turn: undefined, queue: [] }
  if (talk.waiting >= WAITING || (!talk.lanes.has(name) && talk.lanes.size >= LANES) || (lane.turn !== undefined && !mayWait(talk, frame.length))) {
    sayAll(
      talk.socket,
      withLane(errorFrame(429, 'rate_limit_exceeded', 'rate_limit_exceeded', 'Too many responses wait on this connection. Wait for one to end.'), create.lane),
    )
    return
  }
  talk.lanes.set(name, lane)
  lane.queue.push(create)
  talk.waiting++
  talk.waitingBytes += create.bytes
  if (lane.turn === undefined) next(talk, name, lane)
}

/** A frame whose turn begins at once becomes a call, which takes room of its own. */
function mayWait(talk: Talk, bytes: number): boolean {
  const all = talk.waitingBytes + bytes
  return all <= WAITING_BYTES && talk.room.wait(all)
}

function next(talk: Talk, name: string, lane: Lane): void {
  if (talk.socket.readyState !== talk.socket.OPEN) lane.queue.length = 0
  for (let create = lane.queue.shift(); create !== undefined; create = lane.queue.shift()) {
    talk.waiting--
    talk.waitingBytes -= create.bytes
    talk.room.wait(talk.waitingBytes)
    if (begin(talk, name, lane, create)) return
  }
  talk.lanes.delete(name)
  closeWhenIdle(talk)
}

/** False when the turn is over already. */
function begin(talk: Talk, name: string, lane: Lane, create: Create): boolean {
  const { socket, chain } = talk
  const before = create.previous === undefined ? undefined : chain.find(create.previous)
  if (create.previous !== undefined && before === undefined && !create.stored) {
    sayAll(
      socket,
      withLane(
        errorFrame(
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
  if (all > FRAME_BYTES) {
    const message = `What this connection remembers and this frame come to ${all} bytes, of ${FRAME_BYTES} accepted here. Send the request over HTTP.`
    sayAll(socket, withLane(errorFrame(413, 'invalid_request_error', 'request_too_large', message), create.lane))
    return false
  }
  const fresh = inputItems(create.input)
  const items = before === undefined || fresh === undefined ? fresh : joinItems(before, fresh)
  if (!create.generate) {
    const id = `resp_${newCallKey(Date.now())}`
    chain.keep(id, items ?? Buffer.alloc(0))
    for (const frame of warmUp(id, create.model)) sayAll(socket, withLane(frame, create.lane))
    return false
  }
  let ended = false
  lane.turn = startTurn(talk.handle, talk.visit.req, talk.visit.secret, '/v1/responses', create.body(before === undefined ? undefined : items), {
    event(json, taken) {
      if (isTerminal(json)) {
        ended = true
        remember(talk, create, json, items)
      }
      if (typeOf(json) === 'error') ended = true
      sayAll(socket, withLane(json, create.lane), taken)
    },
    refused(status, body, retryAfter) {
      ended = true
      // The vendor forgets a response that a failed turn continued; so a client never builds on what it cannot see.
      if (create.previous !== undefined) chain.forget(create.previous)
      sayAll(socket, withLane(refusalFrame(status, body, retryAfter), create.lane))
    },
    end() {
      if (!ended)
        sayAll(socket, withLane(errorFrame(502, 'server_error', 'upstream_failed', 'The answer ended before its end. Send the request again.'), create.lane))
      lane.turn = undefined
      next(talk, name, lane)
    },
  })
  return true
}

function remember(talk: Talk, create: Create, json: Buffer, items: Buffer | undefined): void {
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
  const output = outputItems(response['output'])
  if (items.length + output.length <= FRAME_BYTES) talk.chain.keep(id, joinItems(items, output))
  else talk.chain.forget(id)
}

/** With a code: nothing new begins from now on. */
function closeWhenIdle(talk: Talk, code?: number, reason = ''): void {
  if (code !== undefined) talk.closing ??= { code, reason }
  if (talk.closing !== undefined && talk.lanes.size === 0) talk.socket.close(talk.closing.code, talk.closing.reason)
}
