import { setTimeout as pause } from 'node:timers/promises'
import type { Tab, ToPage } from '../../wire.ts'
import type { Cdp } from './cdp.ts'
import type { Size } from './launch.ts'

/** Who looks at a session: one page at a time. */
export interface Viewer {
  tell(message: ToPage): void
  /** Takes a JPEG picture; the next comes when `drawn` was said. */
  picture(bytes: Buffer): void
}

export interface Page {
  readonly targetId: string
  readonly sessionId: string
  title: string
  url: string
  isLoading: boolean
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
  /** Milliseconds between two pictures, at least. */
  everyMs: number
  sentAt: number
}

export const START = 'about:blank'

export function current(s: State): string {
  const page = s.active === undefined ? undefined : s.pages.get(s.active)
  if (!page) throw new Error('no page yet')
  return page.sessionId
}

export function tellTabs(s: State): void {
  const tabs = [...s.pages.values()].map(({ targetId, title, url }): Tab => ({
    id: targetId,
    title,
    url: url === START ? '' : url,
    isActive: targetId === s.active,
  }))
  s.viewer?.tell({ tell: 'tabs', tabs, isLoading: s.active !== undefined && (s.pages.get(s.active)?.isLoading ?? false) })
}

const TRIES = 40
const TRY_MS = 50

/** A page that is just being exchanged for another does nothing ("Not attached to an active page"): once more, for two seconds. */
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
