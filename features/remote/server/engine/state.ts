import { setTimeout as pause } from 'node:timers/promises'
import type { Download, Refusal, Tab, ToPage } from '../../wire.ts'
import type { Cdp } from './cdp.ts'
import type { Files } from './files.ts'
import type { Size } from './launch.ts'

/** The page that watches a session; one at a time. */
export interface Viewer {
  tell(message: ToPage): void
  /** Receives a JPEG picture; the next one follows after `drawn`. */
  picture(bytes: Buffer): void
}

export interface Page {
  readonly targetId: string
  readonly sessionId: string
  title: string
  url: string
  isLoading: boolean
  /** Its last navigation failed: no such host, no connection, a refused certificate. */
  isUnreachable: boolean
}

/** One browser, as its parts share it. */
export interface State {
  readonly cdp: Cdp
  readonly pages: Map<string, Page>
  active: string | undefined
  size: Size
  viewer: Viewer | undefined
  /** A picture is under way to the page. */
  isDrawing: boolean
  /** The newest picture that came meanwhile. */
  next: Buffer | undefined
  readonly files: Files
  /** By Chromium's own ids. */
  readonly downloads: Map<string, Download>
  downloadsToldAt: number
  readonly refusedAt: Map<Refusal, number>
  /** The field of a page that asks for files. */
  chooser: { readonly sessionId: string; readonly backendNodeId: number; readonly isMany: boolean } | undefined
  /** Milliseconds between two pictures, at least. */
  everyMs: number
  sentAt: number
}

export const START = 'about:blank'
export const MOST_TABS = 8

export function current(s: State): string {
  const page = s.active === undefined ? undefined : s.pages.get(s.active)
  if (!page) throw new Error('no page yet')
  return page.sessionId
}

/** Pages name themselves: what is longer is theirs alone, an address of megabytes (`data:`) for instance. */
const MOST_TITLE = 200
const MOST_ADDRESS = 2000

export function tellTabs(s: State): void {
  const tabs = [...s.pages.values()].map(({ targetId, title, url }): Tab => ({
    id: targetId,
    title: title.slice(0, MOST_TITLE),
    url: url === START ? '' : url.slice(0, MOST_ADDRESS),
    isActive: targetId === s.active,
  }))
  const active = s.active === undefined ? undefined : s.pages.get(s.active)
  s.viewer?.tell({ tell: 'tabs', tabs, isLoading: active?.isLoading ?? false, isUnreachable: active?.isUnreachable ?? false })
}

const REFUSAL_MS = 1000

/** Reports a refused action to the page, at most once a second for each kind. */
export function tellRefusal(s: State, what: Refusal): void {
  const now = Date.now()
  if (now - (s.refusedAt.get(what) ?? 0) < REFUSAL_MS) return
  s.refusedAt.set(what, now)
  s.viewer?.tell({ tell: 'refused', what })
}

const TRIES = 40
const TRY_MS = 50

/** Retries for two seconds: a page that is being replaced rejects commands ("Not attached to an active page"). */
export async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === TRIES) throw error
      await pause(TRY_MS)
    }
  }
}
