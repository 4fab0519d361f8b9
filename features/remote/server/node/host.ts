import { availableParallelism } from 'node:os'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { isProxyServed } from '#features/proxy/server/door.ts'
import { selectOldestTasks, selectTasksByIds, workTask } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { resolveOverReason } from '../../wire.ts'
import type { OverReason } from '../../wire.ts'
import { BrowserLaunchError, findChromium } from '../engine/launch.ts'
import { readBrowserMegabytes } from '../engine/memory.ts'
import { isSessionTimeUp } from '../unused.ts'
import { remoteMegabytes } from '../settings.ts'
import { REMOTE_SERVICE } from '../spec.ts'
import { findRemoteSupplier } from '../vendors/index.ts'
import { startSessionBrowser, claimRemoteSession, endRemoteSession, moveSessionTask, handleBrowserExit } from './session.ts'
import type { RemoteBrowserSession } from './session.ts'

export interface HostOptions {
  readonly node: string
  readonly places: number
  /** Directory that every system user may enter. */
  readonly base: string
  /** Address of our forward proxy, read at each start: it may begin to listen later than this process. */
  readonly proxy: () => string
  readonly chromium: string | undefined
  readonly isOwnUser: boolean
  /** Concurrent starts; each takes a core for some seconds. */
  readonly starts?: number
}

/** The remote browsers of this process. */
export interface RemoteHost {
  /** Starts queued sessions and ends finished ones. Called periodically. */
  look(): Promise<void>
  find(taskId: string): RemoteBrowserSession | undefined
  /** Reason why no browser starts here, for operators; '' if they start. */
  refusal(): string
  stop(): Promise<void>
}

/** Script memory limit of a page in megabytes: above it the page crashes rather than the session. */
const HEAP_MEGABYTES = 512
const MEMORY_CHECK_MS = 5_000
/** Backoff after a failed start: callers get an error instead of waiting. */
const RETRY_MS = 60_000
const MAX_CONCURRENT_STARTS = Math.max(1, availableParallelism() - 1)

export function createRemoteHost(deps: Deps, place: HostOptions): RemoteHost {
  const { starts = MAX_CONCURRENT_STARTS } = place
  const sessions = new Map<string, RemoteBrowserSession>()
  let refused: { readonly why: string; readonly at: number } | undefined
  let memoryAt = 0
  const refuse = (error: Error) => {
    refused = { why: error.message, at: Date.now() }
    countEvent('remote.cannot_start')
    deps.log.error({ why: error.message }, 'no remote browser starts on this machine')
  }
  const { over, giveUp, quitByItself, notEnded } = createSessionEndings(deps, sessions)

  const start = async (task: Task): Promise<void> => {
    const slot = [...Array(place.places).keys()].find((one) => ![...sessions.values()].some((session) => session.slot === one))
    if (slot === undefined || sessions.has(task.id)) return
    const session: RemoteBrowserSession = { taskId: task.id, userId: task.userId, slot, given: 0, isStarting: true }
    sessions.set(task.id, session)
    try {
      const credentials = await claimRemoteSession(deps, place.node, task)
      if (!credentials) return void sessions.delete(task.id)
      await startSessionBrowser(deps, session, { credentials, wish: { ...place, proxy: place.proxy(), heapMegabytes: HEAP_MEGABYTES } })
      session.isStarting = false
      void session.launched!.gone.then(() => quitByItself(session)).catch(notEnded)
    } catch (error) {
      if (error instanceof BrowserLaunchError) refuse(error)
      else deps.log.warn({ taskId: task.id, why: (error as Error).message }, 'a remote browser did not start')
      await handleBrowserExit(deps, session).finally(() => giveUp(session))
    }
  }

  const look = async () => {
    if (sessions.size) await syncSessions(deps, [...sessions.values()], over)
    // Sessions whose exit could not be recorded when it happened
    for (const session of sessions.values()) if (session.hasQuit) await quitByItself(session).catch(notEnded)
    if (Date.now() - memoryAt > MEMORY_CHECK_MS && sessions.size) {
      memoryAt = Date.now()
      await endHeavySessions(deps, [...sessions.values()], over)
    }
    if (refused && Date.now() - refused.at > RETRY_MS) refused = undefined
    const free = Math.min(place.places - sessions.size, starts - [...sessions.values()].filter((one) => !one.browser).length)
    if (refused || free <= 0 || findRemoteSupplier(deps)) return
    const waiting = (await selectOldestTasks(deps.db, REMOTE_SERVICE, { state: 'queued', limit: free + EXTENSIONS + sessions.size }))
      .filter(({ id, product }) => product === 'session' && !sessions.has(id)) // A claim may take longer than one check
      .slice(0, free)
    if (!waiting.length || !(await isProxyServed(deps.db))) return
    try {
      findChromium(place)
    } catch (error) {
      return refuse(error as Error)
    }
    for (const task of waiting) void start(task).catch(notEnded)
  }

  return {
    look,
    find: (taskId) => sessions.get(taskId),
    refusal: () => {
      try {
        findChromium(place)
        return refused?.why ?? ''
      } catch (error) {
        return (error as Error).message
      }
    },
    stop: async () => {
      for (const session of sessions.values()) {
        await handleBrowserExit(deps, session)
        await over(session, 'broke')
      }
    },
  }
}
/** Skip uses that extend a session; they pass through the same queue. */
const EXTENSIONS = 20

/** Ends sessions of this process. */
function createSessionEndings(deps: Deps, sessions: Map<string, RemoteBrowserSession>) {
  const over = async (session: RemoteBrowserSession, reason: OverReason) => {
    if (session.isOver) return
    try {
      await endRemoteSession(deps, session, reason)
    } finally {
      // A session given up during its start keeps its slot until the browser has exited
      if (!session.isStarting) sessions.delete(session.taskId)
    }
  }

  /** The user may have ended it during its start. */
  const giveUp = async (session: RemoteBrowserSession) => {
    session.isStarting = false
    if (!session.isOver) return over(session, 'broke')
    await session.launched?.end()
    sessions.delete(session.taskId)
  }

  const notEnded = (error: unknown) => deps.log.error({ err: error }, 'a remote browser could not be ended')
  const quitByItself = async (session: RemoteBrowserSession) => {
    if (session.isOver) return
    if (!session.hasQuit) countEvent('remote.browser_quit')
    session.hasQuit = true
    await handleBrowserExit(deps, session)
    await over(session, 'broke')
  }
  return { over, giveUp, quitByItself, notEnded }
}

/** Syncs our sessions with the database: ended by the user, by an operator or by time. */
async function syncSessions(
  deps: Deps,
  sessions: readonly RemoteBrowserSession[],
  over: (session: RemoteBrowserSession, reason: OverReason) => Promise<void>,
): Promise<void> {
  const tasks = new Map(
    (
      await selectTasksByIds(
        deps.db,
        sessions.map(({ taskId }) => taskId),
      )
    ).map((task) => [task.id, task]),
  )
  const lookAt = async (session: RemoteBrowserSession, task: Task) => {
    if (task.phase === 'done' || task.phase === 'failed') return over(session, resolveOverReason(task.cause))
    // Its time is up, unless it was just extended: the next check sees the result
    if (task.state === 'using' && isSessionTimeUp(task)) return workTask(deps, task.id)
    if (!task.expiresAt || session.isDelivering || task.expiresAt.getTime() === session.until?.getTime()) return
    session.until = task.expiresAt
    session.looker?.tell({ tell: 'until', at: task.expiresAt.toISOString() })
  }
  for (const session of sessions) {
    const task = tasks.get(session.taskId)
    if (!task || task.state === 'queued') continue // its claim is in progress
    // A session that fails to end must not block the others
    await lookAt(session, task).catch((error: unknown) => deps.log.error({ err: error, taskId: task.id }, 'a remote browser could not be looked after'))
  }
}

async function endHeavySessions(
  deps: Deps,
  sessions: readonly RemoteBrowserSession[],
  over: (session: RemoteBrowserSession, reason: OverReason) => Promise<void>,
): Promise<void> {
  const most = await deps.settings.get(remoteMegabytes)
  for (const session of sessions) {
    if (!session.launched || readBrowserMegabytes(session.launched.pid) <= most) continue
    countEvent('remote.too_heavy')
    if (!(await moveSessionTask(deps, session, { from: ['using'], to: { to: 'ended', cause: 'too_heavy' } })))
      await moveSessionTask(deps, session, { from: ['starting', 'ready'], to: { to: 'failed', cause: 'not_started' } })
    await over(session, 'too_heavy')
  }
}
