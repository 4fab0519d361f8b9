import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** One open socket, as seen by the timer and the shutdown. */
export interface SocketSession {
  readonly socket: WebSocket
  /** Runs twice a second: checks time limits, deleted keys and low balance. */
  look(now: number): void
  /** Drains: starts no new response, and closes the socket (1001) once none runs. */
  drain(): void
  /** True if no work is left: a disconnected client may still owe for a response. */
  isOver(): boolean
}

export interface Hub {
  add(session: SocketSession): void
  /** Open sessions, including those whose client has disconnected. */
  sessions(): number
  /** Counts a socket of an account until it closes; false at the account's limit. */
  enter(accountId: bigint, socket: Duplex): boolean
  drain(): void
  cut(): void
}

/** Socket limit of one account per process: ample for normal use, and a bound for a runaway loop. */
export const MAX_ACCOUNT_SOCKETS = 200
const CHECK_INTERVAL_MS = 500
const PING_MS = 30_000
/** Unanswered pings, one per PING_MS, after which a peer counts as gone. */
const MAX_MISSED_PINGS = 2

/** Drives all sockets with one timer: pings and session checks. */
export function createHub(): Hub {
  const open = new Map<SocketSession, { pingedAt: number; missed: number; isClosed: boolean }>()
  const byAccount = new Map<bigint, number>()
  let timer: NodeJS.Timeout | undefined
  let draining = false
  const tick = (): void => {
    const now = Date.now()
    for (const [session, life] of open) {
      session.look(now)
      if (life.isClosed) {
        if (session.isOver()) drop(session)
        continue
      }
      if (now - life.pingedAt < PING_MS) continue
      life.pingedAt = now
      if (life.missed++ >= MAX_MISSED_PINGS) session.socket.terminate()
      else if (session.socket.readyState === session.socket.OPEN) session.socket.ping()
    }
  }
  const drop = (session: SocketSession): void => {
    open.delete(session)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    sessions: () => open.size,
    enter(accountId, socket) {
      const own = byAccount.get(accountId) ?? 0
      if (own >= MAX_ACCOUNT_SOCKETS) return false
      byAccount.set(accountId, own + 1)
      socket.once('close', () => {
        const left = byAccount.get(accountId)! - 1
        if (left > 0) byAccount.set(accountId, left)
        else byAccount.delete(accountId)
      })
      return true
    },
    add(session) {
      const life = { pingedAt: Date.now(), missed: 0, isClosed: false }
      open.set(session, life)
      const alive = (): void => {
        life.missed = 0
      }
      session.socket.on('pong', alive)
      session.socket.on('message', alive)
      session.socket.on('close', () => {
        life.isClosed = true
        if (session.isOver()) drop(session)
      })
      timer ??= setInterval(tick, CHECK_INTERVAL_MS).unref()
      if (draining) session.drain()
    },
    cut() {
      for (const session of open.keys()) session.socket.terminate()
    },
    drain() {
      draining = true
      for (const session of open.keys()) session.drain()
    },
  }
}
