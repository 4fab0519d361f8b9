import type { GatewayCall, QueueTicket } from '../call.ts'
import { isRouteOffered, chooseNextRoute } from '../choice/choose.ts'
import type { Route, Gate } from '../deps.ts'
import { sendCallRefusal } from '../reply/reply.ts'
import { settleUncharged } from '../settlement/uncharged.ts'
import { enterGate, hasRoom, hasFreeSlot } from '../choice/gate.ts'

/**
 * Calls that wait for an upstream with room. Accounts take turns, so that one with five hundred calls waiting delays another's by at most
 * one turn. The money stays promised while a call waits; a client that disconnects releases its place.
 */
const CHECK_INTERVAL_MS = 25

type DialRoute = (call: GatewayCall, route: Route) => void

interface Waiting extends QueueTicket {
  readonly call: GatewayCall
  /** Called when it is the call's turn at the upstream. */
  readonly dial: DialRoute
}

/** One account's waiting calls. */
interface Line {
  readonly tickets: Waiting[]
  live: number
}

/** The calls that wait before one gate. */
interface Queue {
  /** By account, the one whose turn is next first. Finished tickets stay until their turn. */
  readonly lines: Map<bigint, Line>
  timer: NodeJS.Timeout | undefined
  /** A check of the queue is scheduled. */
  woken: boolean
}

/** Queues of the gates with waiting calls. */
const queues = new WeakMap<Gate, Queue>()

function getGateQueue(gate: Gate): Queue {
  let queue = queues.get(gate)
  if (queue === undefined) queues.set(gate, (queue = { lines: new Map(), timer: undefined, woken: false }))
  return queue
}

/** True while calls wait here, and a timer runs. */
export const hasGateQueue = (gate: Gate): boolean => queues.has(gate)

/** True if the call has its slot and may be dialled; else it waits, or was refused. */
export function enterOrWait(call: GatewayCall, route: Route, dial: DialRoute): boolean {
  const gate = route.upstream.gate!
  const now = Date.now()
  if (hasRoom(gate, now)) {
    enterGate(gate, now)
    return true
  }
  waitInQueue(call, route, dial, now + gate.limits.queueMs)
  return false
}

/** Handles the end of an attempt, regardless of its outcome. */
export function leaveGate(gate: Gate): void {
  gate.active--
  if (gate.waiting === 0) return
  const queue = getGateQueue(gate)
  if (queue.woken) return
  queue.woken = true
  // Deferred, so that it does not run within another call's end.
  setImmediate(serve, gate)
}

/** Removes the call from all queues: its client disconnected, or its turn has come. */
export function cancelWait(call: GatewayCall): void {
  const { ticket } = call
  if (ticket === undefined) return
  call.ticket = undefined
  ticket.done = true
  for (const { upstream } of ticket.routes) {
    const gate = upstream.gate!
    const { lines } = getGateQueue(gate)
    const line = lines.get(ticket.accountId)!
    gate.waiting--
    if (--line.live === 0) lines.delete(ticket.accountId)
  }
}

/** True if a call of this account would find no place in the queue. For a refusal before money is set aside. */
export function isFull(gate: Gate, accountId: bigint): boolean {
  if (gate.waiting < gate.limits.queueLength || hasRoom(gate, Date.now())) return false
  const line = findLongestLine(gate)
  return line === undefined || line.live <= countAccountWaiting(gate, accountId) + 1
}

/** Refuses a call that no upstream can accept in time: 429 if the account's own calls fill the queue, else 503. */
export function refuseFull(call: GatewayCall, gate: Gate): void {
  const own = countAccountWaiting(gate, call.apiKey!.accountId)
  const isOwn = own > 1 && own * 2 > gate.waiting
  const message = isOwn
    ? 'Too many of your requests are waiting for this model. Send fewer at once; nothing was charged.'
    : 'This model is busy at the moment. Try again shortly; nothing was charged.'
  const pause = String(Math.max(1, Math.ceil(gate.limits.queueMs / 4_000)))
  call.status = isOwn ? 429 : 503
  settleUncharged(call, () => sendCallRefusal(call, { cause: isOwn ? 'upstream_busy' : 'upstream_overloaded', message }, pause))
}

function waitInQueue(call: GatewayCall, route: Route, dial: DialRoute, until: number): void {
  const routes = call.model!.routes.filter((one) => one.upstream.gate?.closed === false && isRouteOffered(call, one))
  const [first] = routes
  if (first === undefined) {
    refuseFull(call, route.upstream.gate!)
    return
  }
  const { accountId } = call.apiKey!
  for (const { upstream } of routes) {
    if (makePlace(upstream.gate!, accountId)) continue
    refuseFull(call, upstream.gate!)
    return
  }
  const ticket: Waiting = { call, accountId, routes, dial, until, done: false }
  call.ticket = ticket
  for (const { upstream } of routes) {
    const gate = upstream.gate!
    const queue = getGateQueue(gate)
    const line = queue.lines.get(accountId)
    if (line === undefined) queue.lines.set(accountId, { tickets: [ticket], live: 1 })
    else {
      line.tickets.push(ticket)
      line.live++
    }
    gate.waiting++
    // One timer per upstream, and only while calls wait.
    queue.timer ??= setInterval(checkWaiting, CHECK_INTERVAL_MS, gate).unref()
  }
}

/** A full queue drops the newest call of the account with most waiting, unless that is the newcomer. */
function makePlace(gate: Gate, accountId: bigint): boolean {
  if (gate.waiting < gate.limits.queueLength) return true
  const line = findLongestLine(gate)
  const dropped = line?.tickets.findLast((ticket) => !ticket.done)
  if (dropped === undefined || line!.live <= countAccountWaiting(gate, accountId) + 1) return false
  refuseFull(dropped.call, gate)
  cancelWait(dropped.call)
  return true
}

const countAccountWaiting = (gate: Gate, accountId: bigint): number => queues.get(gate)?.lines.get(accountId)?.live ?? 0

function findLongestLine(gate: Gate): Line | undefined {
  let most: Line | undefined
  for (const line of queues.get(gate)?.lines.values() ?? []) if (most === undefined || line.live > most.live) most = line
  return most
}

/** Timed work: ends waits that took too long, and uses start slots that the past minute has freed. */
function checkWaiting(gate: Gate): void {
  const now = Date.now()
  for (const line of [...(queues.get(gate)?.lines.values() ?? [])])
    for (const ticket of line.tickets.slice()) if (!ticket.done && (gate.closed || ticket.until <= now)) giveUp(ticket, gate)
  serve(gate)
}

function serve(gate: Gate): void {
  const queue = queues.get(gate)
  if (queue === undefined) return
  queue.woken = false
  const now = Date.now()
  while (gate.waiting > 0 && hasFreeSlot(gate, now)) grant(gate, queue, now)
  if (gate.waiting > 0) return
  clearInterval(queue.timer)
  queues.delete(gate)
}

/** The oldest call of the account whose turn it is; the account moves to the end of the round. */
function grant(gate: Gate, { lines }: Queue, now: number): void {
  const [accountId, line] = lines.entries().next().value!
  let ticket = line.tickets.shift()!
  while (ticket.done) ticket = line.tickets.shift()!
  cancelWait(ticket.call)
  if (line.live > 0) {
    lines.delete(accountId)
    lines.set(accountId, line)
  }
  enterGate(gate, now)
  ticket.dial(
    ticket.call,
    ticket.routes.find(({ upstream }) => upstream.gate === gate)!,
  )
}

/** The wait is over; if the upstream was drained meanwhile, the call may be served or wait elsewhere. */
function giveUp(ticket: Waiting, gate: Gate): void {
  const { call, dial } = ticket
  const isLate = ticket.until <= Date.now()
  if (isLate) refuseFull(call, gate)
  cancelWait(call)
  if (isLate) return
  const elsewhere = chooseNextRoute(call)
  if (elsewhere === undefined) waitInQueue(call, ticket.routes[0]!, dial, ticket.until)
  else dial(call, elsewhere)
}
