import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** One open socket as the timer and a shutdown see it. */
export interface Session {
  readonly socket: WebSocket
  /** Runs twice a second: limits of time, keys that were deleted, money that runs low. */
  look(now: number): void
  /** The process stops: nothing new begins, and the socket closes (1001) as soon as nothing runs. */
  drain(): void
  /** Nothing of it is under way any more: a client that has left may be owed for all the same. */
  isOver(): boolean
}

export interface Hub {
  add(session: Session): void
  /** Sessions that are not over, those included whose client has left. */
  sessions(): number
  /** Counts one more socket of an account until it closes; false where it has as many as it may. */
  enter(accountId: bigint, socket: Duplex): boolean
  drain(): void
  cut(): void
}

/** Sockets of one account in one process: nobody needs more, and somebody's loop would open them all. */
export const ACCOUNT_SOCKETS = 200
const LOOK_MS = 500
const PING_MS = 30_000
/** Pings that may stay unanswered, each after PING_MS, before the other side counts as gone. */
const MISSED = 2

/** One timer for all sockets: pings and whatever a session wants to look at. */
export function createHub(): Hub {
  const open = new Map<Session, { pingedAt: number; missed: number; isClosed: boolean }>()
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
      if (life.missed++ >= MISSED) session.socket.terminate()
      else if (session.socket.readyState === session.socket.OPEN) session.socket.ping()
    }
  }
  const drop = (session: Session): void => {
    open.delete(session)
    if (open.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    sessions: () => open.size,
    enter(accountId, socket) {
      const own = byAccount.get(accountId) ?? 0
      if (own >= ACCOUNT_SOCKETS) return false
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
      timer ??= setInterval(tick, LOOK_MS).unref()
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
