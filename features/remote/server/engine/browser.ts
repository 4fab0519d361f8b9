import type { RemotePageMessage } from '../../wire.ts'
import { performPageAction } from './page-actions.ts'
import { activateTab, sendPicture, startCast, stopCast } from './cast.ts'
import type { Cdp } from './cdp.ts'
import { createSessionFiles } from './files.ts'
import type { FileLimits } from './files.ts'
import { dropFileChooser, startFileTransfer, sendFileChooser, sendDownloads } from './file-transfer.ts'
import type { LaunchedBrowser, ViewportSize } from './launch.ts'
import { retryPageCommand, requireActiveSession, MAX_BROWSER_TABS, BLANK_PAGE_URL, sendPageRefusal, sendTabList } from './state.ts'
import type { BrowserTab, BrowserState, Viewer } from './state.ts'

export interface RemoteBrowser {
  /** Handles a message from the page. Never throws. Drops the message, and tells the viewer, while too many others are pending. */
  wish(wish: RemotePageMessage): Promise<void>
  /** Streams to this viewer from now on and stops streaming to the previous one. */
  show(viewer: Viewer | undefined): Promise<void>
  /** Closes the files that are being uploaded. */
  close(): Promise<void>
}

export interface Credentials {
  readonly username: string
  readonly password: string
}

interface Target {
  readonly sessionId: string
  readonly targetInfo: { readonly targetId: string; readonly type: string; readonly title: string; readonly url: string }
}
interface PausedRequest {
  readonly requestId: string
}

/** Maximum of pending actions, of a tab's input and of everything else; a user is never so far ahead. */
const MAX_PENDING_ACTIONS = 300
/** Messages that a page has to process: a hanging page leaves them pending. */
const INPUT_ACTIONS: ReadonlySet<RemotePageMessage['do']> = new Set(['mouse', 'wheel', 'key', 'text', 'take'])

/** A name that no resolver resolves: the proxy requests the password, but nothing is reached. */
const PROXY_AUTH_URL = 'http://start.invalid/'

/** Settings of one session. */
interface BrowserOptions {
  readonly size: ViewportSize
  /** Credentials for our forward proxy. */
  readonly credentials: Credentials
  readonly files: FileLimits
}

/** Prepares a fresh Chromium for its user. */
export async function openRemoteBrowser(
  { cdp, room }: Pick<LaunchedBrowser, 'cdp' | 'room'>,
  { size, credentials, files }: BrowserOptions,
): Promise<RemoteBrowser> {
  const s: BrowserState = {
    ...{ cdp, pages: new Map(), active: undefined, size, viewer: undefined, isDrawing: false, next: undefined },
    ...{ everyMs: 0, sentAt: 0, files: createSessionFiles(room, files), downloads: new Map(), downloadsToldAt: 0, chooser: undefined, refusedAt: new Map() },
  }
  await startFileTransfer(s)
  listenToTargets(s)
  const pages = [{ type: 'page', exclude: false }]
  await cdp.send('Target.setDiscoverTargets', { discover: true, filter: pages })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: pages })
  const first = await retryPageCommand(async () => [...s.pages.values()][0] ?? Promise.reject(new Error('the browser has no page')))
  await signIn(cdp, first, credentials)
  await retryPageCommand(async () => requireActiveSession(s))
  const browser = { pending: 0 }
  return {
    wish: async (wish) => {
      // Input of each tab is counted separately: a page that hangs must not block the actions that end it, nor other tabs
      const tab = INPUT_ACTIONS.has(wish.do) && s.active !== undefined ? s.pages.get(s.active) : undefined
      const queue = tab ?? browser
      if (queue.pending >= MAX_PENDING_ACTIONS && wish.do !== 'drawn') {
        // The pointer moves by itself when the page responds again
        if (wish.do !== 'mouse' || wish.type !== 'mouseMoved') sendPageRefusal(s, 'input')
        return
      }
      queue.pending++
      await performPageAction(s, wish).catch(() => undefined)
      queue.pending--
    },
    show: async (viewer) => {
      s.viewer = viewer
      s.isDrawing = false
      s.next = undefined
      if (!viewer) return stopCast(s)
      viewer.tell({ tell: 'size', ...s.size })
      sendTabList(s)
      sendFileChooser(s)
      sendDownloads(s)
      await startCast(s)
    },
    close: () => s.files.close(),
  }
}

/**
 * Signs in to the proxy once, with a request to a name that does not exist. Chromium caches the credentials while it runs, and
 * interception is switched off afterwards.
 */
async function signIn(cdp: Cdp, { sessionId }: BrowserTab, { username, password }: Credentials): Promise<void> {
  cdp.on<PausedRequest>('Fetch.authRequired', ({ requestId }, session) =>
    cdp.tell('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'ProvideCredentials', username, password } }, session),
  )
  cdp.on<PausedRequest>('Fetch.requestPaused', ({ requestId }, session) => cdp.tell('Fetch.continueRequest', { requestId }, session))
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] }, sessionId)
  await cdp.send('Page.navigate', { url: PROXY_AUTH_URL }, sessionId).catch(() => undefined)
  await retryPageCommand(() => cdp.send('Fetch.disable', {}, sessionId))
  await retryPageCommand(() => cdp.send('Page.navigate', { url: BLANK_PAGE_URL }, sessionId))
  await retryPageCommand(() => cdp.send('Page.resetNavigationHistory', {}, sessionId))
}

const findPage = ({ pages }: BrowserState, session: string | undefined) => [...pages.values()].find((page) => page.sessionId === session)

function listenToTargets(s: BrowserState): void {
  const { cdp, pages } = s
  cdp.on<Target>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type !== 'page') return cdp.tell('Target.detachFromTarget', { sessionId })
    // The limit applies to tabs opened by the user and by pages
    if (pages.size >= MAX_BROWSER_TABS) return cdp.tell('Target.closeTarget', { targetId: targetInfo.targetId })
    pages.set(targetInfo.targetId, { targetId: targetInfo.targetId, sessionId, title: '', url: '', isLoading: false, isUnreachable: false, pending: 0 })
    void preparePage(s, sessionId)
      .then(() => activateTab(s, targetInfo.targetId))
      .catch(() => undefined)
  })
  cdp.on<Pick<Target, 'sessionId'>>('Target.detachedFromTarget', ({ sessionId }) => {
    const gone = findPage(s, sessionId)
    if (!gone) return
    pages.delete(gone.targetId)
    dropFileChooser(s, sessionId)
    if (s.active === gone.targetId) s.active = undefined
    const last = [...pages.keys()].at(-1)
    if (last) void activateTab(s, last).catch(() => undefined)
    else cdp.tell('Target.createTarget', { url: BLANK_PAGE_URL })
  })
  listenToPages(s)
  listenToDialogs(s)
}

function listenToPages(s: BrowserState): void {
  const { cdp, pages } = s
  const learn = (targetInfo: Target['targetInfo']) => {
    const page = pages.get(targetInfo.targetId)
    if (!page || (page.title === targetInfo.title && page.url === targetInfo.url)) return
    Object.assign(page, { title: targetInfo.title, url: targetInfo.url })
    sendTabList(s)
  }
  cdp.on<Target>('Target.targetInfoChanged', ({ targetInfo }) => learn(targetInfo))
  const loading = (isLoading: boolean) => (_params: unknown, session: string | undefined) => {
    const page = findPage(s, session)
    if (!page || page.isLoading === isLoading) return
    page.isLoading = isLoading
    sendTabList(s)
    // Chromium reports the title late
    if (!isLoading)
      void cdp.send<Pick<Target, 'targetInfo'>>('Target.getTargetInfo', { targetId: page.targetId }).then(
        ({ targetInfo }) => learn(targetInfo),
        () => undefined,
      )
  }
  cdp.on('Page.frameStartedLoading', loading(true))
  cdp.on<{ frame: { parentId?: string; unreachableUrl?: string } }>('Page.frameNavigated', ({ frame }, session) => {
    if (frame.parentId !== undefined || session === undefined) return
    dropFileChooser(s, session)
    const page = findPage(s, session)
    const isUnreachable = Boolean(frame.unreachableUrl)
    if (!page || page.isUnreachable === isUnreachable) return
    page.isUnreachable = isUnreachable
    sendTabList(s)
  })
  cdp.on('Page.frameStoppedLoading', loading(false))
  cdp.on<{ data: string; sessionId: number }>('Page.screencastFrame', ({ data, sessionId: frame }, session) => {
    cdp.tell('Page.screencastFrameAck', { sessionId: frame }, session)
    if (findPage(s, session)?.targetId === s.active) sendPicture(s, Buffer.from(data, 'base64'))
  })
}

/** Answers dialogs at once: they block the page, and the user might answer too late. */
function listenToDialogs(s: BrowserState): void {
  s.cdp.on<{ type: string }>('Page.javascriptDialogOpening', ({ type }, session) => {
    s.cdp.tell('Page.handleJavaScriptDialog', { accept: type === 'alert' || type === 'beforeunload' }, session)
    sendPageRefusal(s, 'dialog')
  })
}

async function preparePage({ cdp, size }: BrowserState, sessionId: string): Promise<void> {
  await cdp.send('Page.enable', {}, sessionId)
  await cdp.send('Page.setInterceptFileChooserDialog', { enabled: true }, sessionId)
  await cdp.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false }, sessionId)
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true }, sessionId)
}
