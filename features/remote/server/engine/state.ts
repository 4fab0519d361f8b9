import { setTimeout as pause } from 'node:timers/promises'
import type { RemoteDownload, RemoteRefusal, RemoteTab, RemoteServerMessage } from '../../wire.ts'
import type { Cdp } from './cdp.ts'
import type { SessionFiles } from './files.ts'
import type { ViewportSize } from './launch.ts'

/** The page that shows a session; one at a time. */
export interface Viewer {
  tell(message: RemoteServerMessage): void
  /** Receives a JPEG picture; the next one follows after `drawn`. */
  picture(bytes: Buffer): void
}

export interface BrowserTab {
  readonly targetId: string
  readonly sessionId: string
  title: string
  url: string
  isLoading: boolean
  /** True if the last navigation failed: no such host, no connection, an invalid certificate. */
  isUnreachable: boolean
  /** Input that the page has not processed yet. */
  pending: number
}

/** State of one browser, shared by the modules of the engine. */
export interface BrowserState {
  readonly cdp: Cdp
  readonly pages: Map<string, BrowserTab>
  active: string | undefined
  size: ViewportSize
  viewer: Viewer | undefined
  /** True while a picture is on its way to the page. */
  isDrawing: boolean
  /** The newest picture that arrived meanwhile. */
  next: Buffer | undefined
  readonly files: SessionFiles
  /** Tabs by Chromium's target id. */
  readonly downloads: Map<string, RemoteDownload>
  downloadsToldAt: number
  readonly refusedAt: Map<RemoteRefusal, number>
  /** The file input that waits for files. */
  chooser: { readonly sessionId: string; readonly backendNodeId: number; readonly isMany: boolean } | undefined
  /** Minimum interval between two pictures in milliseconds. */
  everyMs: number
  sentAt: number
}

export const BLANK_PAGE_URL = 'about:blank'
export const MAX_BROWSER_TABS = 8

export function requireActiveSession(s: BrowserState): string {
  const page = s.active === undefined ? undefined : s.pages.get(s.active)
  if (!page) throw new Error('no page yet')
  return page.sessionId
}

/** Limits of a page's title and URL, which pages choose themselves, e.g. a `data:` URL of megabytes. */
const MAX_TITLE_LENGTH = 200
const MAX_ADDRESS_LENGTH = 2000

export function sendTabList(s: BrowserState): void {
  const tabs = [...s.pages.values()].map(({ targetId, title, url }): RemoteTab => ({
    id: targetId,
    title: title.slice(0, MAX_TITLE_LENGTH),
    url: url === BLANK_PAGE_URL ? '' : url.slice(0, MAX_ADDRESS_LENGTH),
    isActive: targetId === s.active,
  }))
  const active = s.active === undefined ? undefined : s.pages.get(s.active)
  s.viewer?.tell({ tell: 'tabs', tabs, isLoading: active?.isLoading ?? false, isUnreachable: active?.isUnreachable ?? false })
}

const REFUSAL_INTERVAL_MS = 1000

/** Reports a refused action to the page, at most once a second for each kind. */
export function sendPageRefusal(s: BrowserState, what: RemoteRefusal): void {
  const now = Date.now()
  if (now - (s.refusedAt.get(what) ?? 0) < REFUSAL_INTERVAL_MS) return
  s.refusedAt.set(what, now)
  s.viewer?.tell({ tell: 'refused', what })
}

const MAX_ATTEMPTS = 40
const RETRY_DELAY_MS = 50

/** Retries for two seconds: a page that is being replaced rejects commands ("Not attached to an active page"). */
export async function retryPageCommand<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === MAX_ATTEMPTS) throw error
      await pause(RETRY_DELAY_MS)
    }
  }
}
