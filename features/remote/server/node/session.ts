import { join } from 'node:path'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { endUse, listOpenExits, openUse } from '#features/proxy/server/door.ts'
import { extendTask, moveTask, selectTask } from '#features/services/server/door.ts'
import type { TaskTransition } from '#features/services/server/door.ts'
import type { RemotePageMessage, OverReason, RemoteServerMessage } from '../../wire.ts'
import { resolveBrokenSession, isSessionTimeUp, MINUTE_MS } from '../unused.ts'
import { openRemoteBrowser } from '../engine/browser.ts'
import type { Credentials, RemoteBrowser } from '../engine/browser.ts'
import { launchBrowser } from '../engine/launch.ts'
import type { LaunchedBrowser, BrowserLaunchOptions } from '../engine/launch.ts'
import { remoteExit, remoteFileMegabytes, remoteFiles, remoteGraceSeconds, remoteMinutes, remoteMaxMinutes, remoteQueueMinutes } from '../settings.ts'
import { OWN_ENGINE } from '../spec.ts'

/** Sends the reason and closes. */
export interface SessionViewer {
  tell(message: RemoteServerMessage): void
  picture(bytes: Buffer): void
  /** Sends the reason and closes. */
  leave(reason: OverReason): void
}

/** One remote browser of this process, from its claim to its end. */
export interface RemoteBrowserSession {
  readonly taskId: string
  readonly userId: string
  readonly slot: number
  launched?: LaunchedBrowser
  browser?: RemoteBrowser
  looker?: SessionViewer
  /** End of the paid time; set once the first picture was seen. */
  until?: Date
  isDelivering?: boolean
  /** Time at which the last page left, in milliseconds, and the seconds given back so far. */
  lostAt?: number
  given: number
  /** True while the browser starts: its slot and its system user are taken until then. */
  isStarting?: boolean
  /** True if the browser exited by itself. */
  hasQuit?: boolean
  isOver?: boolean
}

const DEFAULT_SIZE = { width: 1280, height: 800 } as const
const OPEN_MS = 60_000

/** Claims a queued task for this process and creates its proxy credentials. Returns undefined if another process claimed it. */
export async function claimRemoteSession(
  deps: Deps,
  node: string,
  task: { readonly id: string; readonly userId: string; readonly now: Date },
): Promise<Credentials | undefined> {
  const exits = await listOpenExits(deps)
  const wish = await deps.settings.get(remoteExit)
  const exit = exits.find(({ id }) => id === wish) ?? exits[0]!
  // Longer than a session can last; its end revokes the credentials earlier
  const most = (await deps.settings.get(remoteMaxMinutes)) + (await deps.settings.get(remoteQueueMinutes)) + MAX_WAIT_MINUTES
  const expiresAt = new Date(task.now.getTime() + most * MINUTE_MS)
  return transact(deps.db, SYSTEM, async (tx) => {
    const moved = await moveTask(deps, tx, { id: task.id, from: ['queued'], to: { to: 'starting', supplier: OWN_ENGINE, supplierRef: node } }) // audited by moveTask
    if (!moved) return undefined
    return openUse(deps, tx, { userId: task.userId, purpose: 'remote', ref: task.id, owner: task.id, exitId: exit.id, expiresAt })
  })
}
const MAX_WAIT_MINUTES = 70

/** Starts the browser of a claimed task and admits its user. Throws if it does not start. */
export async function startSessionBrowser(
  deps: Deps,
  session: RemoteBrowserSession,
  {
    credentials,
    wish,
  }: { readonly credentials: Credentials; readonly wish: Omit<BrowserLaunchOptions, 'slot' | 'folder' | 'size'> & { readonly base: string } },
): Promise<void> {
  const { base, ...how } = wish
  session.launched = await launchBrowser({ ...how, slot: session.slot, folder: join(base, session.taskId), size: DEFAULT_SIZE })
  const late = AbortSignal.timeout(OPEN_MS)
  const tooLate = new Promise<never>((_done, failed) => late.addEventListener('abort', () => failed(new Error('the browser did not open'))))
  const files = { files: await deps.settings.get(remoteFiles), bytes: (await deps.settings.get(remoteFileMegabytes)) * 1_000_000 }
  session.browser = await Promise.race([openRemoteBrowser(session.launched, { size: DEFAULT_SIZE, credentials, files }), tooLate])
  if (!(await moveSessionTask(deps, session, { from: ['starting'], to: { to: 'ready' } }))) throw new Error('the session is no longer starting')
}

/** Returns true if the task was still starting. */
export async function moveSessionTask(
  deps: Deps,
  { taskId }: Pick<RemoteBrowserSession, 'taskId'>,
  { from, to }: { readonly from: readonly string[]; readonly to: TaskTransition },
): Promise<boolean> {
  return (await transact(deps.db, SYSTEM, (tx) => moveTask(deps, tx, { id: taskId, from, to }))) !== undefined // audited by moveTask
}

/** Attaches a page; the previous one receives `replaced` as the reason. */
export async function attachViewer(deps: Deps, session: RemoteBrowserSession, looker: SessionViewer): Promise<void> {
  session.looker?.leave('replaced')
  session.looker = looker
  await creditLostTime(deps, session)
  delete session.lostAt
  if (session.until) looker.tell({ tell: 'until', at: session.until.toISOString() })
  await session.browser?.show(looker)
}

/** Extends the session by the time that its connection was lost, up to the limit in the settings. */
async function creditLostTime(deps: Deps, session: RemoteBrowserSession): Promise<void> {
  const { lostAt, until } = session
  if (lostAt === undefined || until === undefined) return
  const left = (await deps.settings.get(remoteGraceSeconds)) - session.given
  const seconds = Math.min(left, Math.round((Date.now() - lostAt) / 1000))
  if (seconds <= 0) return
  const given = session.given + seconds
  const task = await transact(deps.db, SYSTEM, (tx) =>
    // audited by extendTask
    extendTask(deps, tx, {
      id: session.taskId,
      state: 'using',
      longer: (now) => (isSessionTimeUp(now) ? undefined : new Date(now.expiresAt.getTime() + seconds * 1000)),
      facts: {
        givenSeconds: given,
      },
    }),
  )
  if (!task?.expiresAt) return
  session.given = given
  session.until = task.expiresAt
}

export function detachViewer(session: RemoteBrowserSession, looker: SessionViewer): void {
  if (session.looker !== looker) return
  delete session.looker
  session.lostAt ??= Date.now()
  void session.browser?.show(undefined).catch(() => undefined)
}

/** Handles a message from the page. Before the first picture was seen, and charged, a session accepts no input. */
export async function handlePageMessage(deps: Deps, session: RemoteBrowserSession, wish: RemotePageMessage): Promise<void> {
  if (wish.do === 'drawn' && !session.until && !session.isDelivering) await startPaidTime(deps, session)
  if (!session.until && wish.do !== 'drawn' && wish.do !== 'ping' && wish.do !== 'size') return
  await session.browser?.wish(wish)
}

/** Charges the session and starts its time: the page has drawn the first picture. */
async function startPaidTime(deps: Deps, session: RemoteBrowserSession): Promise<void> {
  session.isDelivering = true
  try {
    const minutes = await deps.settings.get(remoteMinutes)
    const task = await selectTask(deps.db, session.taskId)
    // Already in use in the database: the response to the commit was lost
    const known = task?.state === 'using' ? task.expiresAt : null
    const until = task?.state === 'ready' ? await chargeSession(deps, session, new Date(task.now.getTime() + minutes * MINUTE_MS)) : known
    if (!until) return
    session.until = until
    session.looker?.tell({ tell: 'until', at: until.toISOString() })
  } finally {
    session.isDelivering = false
  }
}

const chargeSession = async (deps: Deps, session: RemoteBrowserSession, until: Date): Promise<Date | null> =>
  (await moveSessionTask(deps, session, { from: ['ready'], to: { to: 'using', expiresAt: until } })) ? until : null

/** Handles a browser that exited by itself, e.g. because its machine lacked memory. */
export async function handleBrowserExit(deps: Deps, session: RemoteBrowserSession): Promise<void> {
  for (;;) {
    const task = await selectTask(deps.db, session.taskId)
    if (!task || !['starting', 'ready', 'using'].includes(task.state)) return
    // A concurrent payment may change the task: check again
    if (
      await moveSessionTask(deps, session, {
        from: [task.state],
        to: task.state === 'using' ? await resolveBrokenSession(deps, task) : { to: 'failed', cause: 'not_started' },
      })
    )
      return
  }
}

/** Ends and wipes the session, and revokes its credentials. */
export async function endRemoteSession(deps: Deps, session: RemoteBrowserSession, reason: OverReason): Promise<void> {
  session.isOver = true
  session.looker?.leave(reason)
  delete session.looker
  await session.browser?.close()
  await session.launched?.end()
  await endUse(deps.db, 'remote', session.taskId)
}
