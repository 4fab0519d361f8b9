import type { FromPage } from '../../wire.ts'
import { act } from './act.ts'
import { activate, draw, startCast, stopCast } from './cast.ts'
import type { Cdp } from './cdp.ts'
import { createFiles } from './files.ts'
import type { FileLimits } from './files.ts'
import { forgetChooser, openHandOver, tellChooser, tellDownloads } from './hand-over.ts'
import type { Launched, Size } from './launch.ts'
import { again, current, MOST_TABS, START, tellRefusal, tellTabs } from './state.ts'
import type { Page, State, Viewer } from './state.ts'

export interface RemoteBrowser {
  /** Handles a message from the page. Never throws; drops the message while too many others are pending. */
  wish(wish: FromPage): Promise<void>
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
interface Paused {
  readonly requestId: string
}

/** Wishes that a browser has not answered; a hand is never so far ahead. */
const MOST_PENDING = 300

/** A name that no resolver knows: the proxy asks for the password, and nothing is reached. */
const BOOT = 'http://start.invalid/'

/** Settings of one session. */
interface Own {
  readonly size: Size
  /** Credentials for our forward proxy. */
  readonly credentials: Credentials
  readonly files: FileLimits
}

/** Prepares a fresh Chromium for its user. */
export async function openBrowser({ cdp, room }: Pick<Launched, 'cdp' | 'room'>, { size, credentials, files }: Own): Promise<RemoteBrowser> {
  const s: State = {
    ...{ cdp, pages: new Map(), active: undefined, size, viewer: undefined, isDrawing: false, next: undefined },
    ...{ everyMs: 0, sentAt: 0, files: createFiles(room, files), downloads: new Map(), downloadsToldAt: 0, chooser: undefined, refusedAt: new Map() },
  }
  await openHandOver(s)
  listen(s)
  const pages = [{ type: 'page', exclude: false }]
  await cdp.send('Target.setDiscoverTargets', { discover: true, filter: pages })
  await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true, filter: pages })
  const first = await again(async () => [...s.pages.values()][0] ?? Promise.reject(new Error('the browser has no page')))
  await signIn(cdp, first, credentials)
  await again(async () => current(s))
  let pending = 0
  return {
    wish: async (wish) => {
      // A page that hangs answers nothing: what it would take later is not gathered here
      if (pending >= MOST_PENDING && wish.do !== 'drawn') return
      pending++
      await act(s, wish).catch(() => undefined)
      pending--
    },
    show: async (viewer) => {
      s.viewer = viewer
      s.isDrawing = false
      s.next = undefined
      if (!viewer) return stopCast(s)
      viewer.tell({ tell: 'size', ...s.size })
      tellTabs(s)
      tellChooser(s)
      tellDownloads(s)
      await startCast(s)
    },
    close: () => s.files.close(),
  }
}

/** The proxy asks once, for a page that is none; Chromium keeps the credentials for the rest of its life, and nothing is intercepted after that. */
async function signIn(cdp: Cdp, { sessionId }: Page, { username, password }: Credentials): Promise<void> {
  cdp.on<Paused>('Fetch.authRequired', ({ requestId }, session) =>
    cdp.tell('Fetch.continueWithAuth', { requestId, authChallengeResponse: { response: 'ProvideCredentials', username, password } }, session),
  )
  cdp.on<Paused>('Fetch.requestPaused', ({ requestId }, session) => cdp.tell('Fetch.continueRequest', { requestId }, session))
  await cdp.send('Fetch.enable', { handleAuthRequests: true, patterns: [{ urlPattern: '*' }] }, sessionId)
  await cdp.send('Page.navigate', { url: BOOT }, sessionId).catch(() => undefined)
  await again(() => cdp.send('Fetch.disable', {}, sessionId))
  await again(() => cdp.send('Page.navigate', { url: START }, sessionId))
  await again(() => cdp.send('Page.resetNavigationHistory', {}, sessionId))
}

const pageOf = ({ pages }: State, session: string | undefined) => [...pages.values()].find((page) => page.sessionId === session)

function listen(s: State): void {
  const { cdp, pages } = s
  cdp.on<Target>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    if (targetInfo.type !== 'page') return cdp.tell('Target.detachFromTarget', { sessionId })
    // Its user cannot open more, and neither can a page
    if (pages.size >= MOST_TABS) return cdp.tell('Target.closeTarget', { targetId: targetInfo.targetId })
    pages.set(targetInfo.targetId, { targetId: targetInfo.targetId, sessionId, title: '', url: '', isLoading: false, isUnreachable: false })
    void dress(s, sessionId)
      .then(() => activate(s, targetInfo.targetId))
      .catch(() => undefined)
  })
  cdp.on<Pick<Target, 'sessionId'>>('Target.detachedFromTarget', ({ sessionId }) => {
    const gone = pageOf(s, sessionId)
    if (!gone) return
    pages.delete(gone.targetId)
    forgetChooser(s, sessionId)
    if (s.active === gone.targetId) s.active = undefined
    const last = [...pages.keys()].at(-1)
    if (last) void activate(s, last).catch(() => undefined)
    else cdp.tell('Target.createTarget', { url: START })
  })
  listenToPages(s)
  listenToDialogs(s)
}

function listenToPages(s: State): void {
  const { cdp, pages } = s
  const learn = (targetInfo: Target['targetInfo']) => {
    const page = pages.get(targetInfo.targetId)
    if (!page || (page.title === targetInfo.title && page.url === targetInfo.url)) return
    Object.assign(page, { title: targetInfo.title, url: targetInfo.url })
    tellTabs(s)
  }
  cdp.on<Target>('Target.targetInfoChanged', ({ targetInfo }) => learn(targetInfo))
  const loading = (isLoading: boolean) => (_params: unknown, session: string | undefined) => {
    const page = pageOf(s, session)
    if (!page || page.isLoading === isLoading) return
    page.isLoading = isLoading
    tellTabs(s)
    // The title comes late by itself
    if (!isLoading)
      void cdp.send<Pick<Target, 'targetInfo'>>('Target.getTargetInfo', { targetId: page.targetId }).then(
        ({ targetInfo }) => learn(targetInfo),
        () => undefined,
      )
  }
  cdp.on('Page.frameStartedLoading', loading(true))
  cdp.on<{ frame: { parentId?: string; unreachableUrl?: string } }>('Page.frameNavigated', ({ frame }, session) => {
    if (frame.parentId !== undefined || session === undefined) return
    forgetChooser(s, session)
    const page = pageOf(s, session)
    const isUnreachable = Boolean(frame.unreachableUrl)
    if (!page || page.isUnreachable === isUnreachable) return
    page.isUnreachable = isUnreachable
    tellTabs(s)
  })
  cdp.on('Page.frameStoppedLoading', loading(false))
  cdp.on<{ data: string; sessionId: number }>('Page.screencastFrame', ({ data, sessionId: frame }, session) => {
    cdp.tell('Page.screencastFrameAck', { sessionId: frame }, session)
    if (pageOf(s, session)?.targetId === s.active) draw(s, Buffer.from(data, 'base64'))
  })
}

/** Answers dialogs at once: they block the page, and the user might answer too late. */
function listenToDialogs(s: State): void {
  s.cdp.on<{ type: string }>('Page.javascriptDialogOpening', ({ type }, session) => {
    s.cdp.tell('Page.handleJavaScriptDialog', { accept: type === 'alert' || type === 'beforeunload' }, session)
    tellRefusal(s, 'dialog')
  })
}

async function dress({ cdp, size }: State, sessionId: string): Promise<void> {
  await cdp.send('Page.enable', {}, sessionId)
  await cdp.send('Page.setInterceptFileChooserDialog', { enabled: true }, sessionId)
  await cdp.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false }, sessionId)
  await cdp.send('Emulation.setFocusEmulationEnabled', { enabled: true }, sessionId)
}
