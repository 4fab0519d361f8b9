import { retryPageCommand, requireActiveSession, sendTabList } from './state.ts'
import type { BrowserState } from './state.ts'

const QUALITY = 70
/** Round-trip time in milliseconds above which the frame rate is reduced, so that pictures stay current. */
const SLOW_MS = 400
const SLOW_FPS = 12
const FULL_FPS = 60

export async function stopCast(s: BrowserState): Promise<void> {
  if (s.active !== undefined && s.pages.has(s.active)) await s.cdp.send('Page.stopScreencast', {}, requireActiveSession(s)).catch(() => undefined)
}

/** Starts the screencast. Takes one picture first, because a static page casts none. */
export async function startCast(s: BrowserState): Promise<void> {
  const shape = { format: 'jpeg', quality: QUALITY }
  await retryPageCommand(async () => {
    if (!s.viewer || s.active === undefined) return
    const session = requireActiveSession(s)
    await s.cdp.send('Page.stopScreencast', {}, session)
    await s.cdp.send('Page.startScreencast', { ...shape, maxWidth: s.size.width, maxHeight: s.size.height, everyNthFrame: 1 }, session)
    const { data } = await s.cdp.send<{ data: string }>('Page.captureScreenshot', shape, session)
    sendPicture(s, Buffer.from(data, 'base64'))
  })
}

/** Sends one picture at a time; of those that arrive meanwhile, only the newest is kept. */
export function sendPicture(s: BrowserState, bytes: Buffer): void {
  if (!s.viewer) return
  if (s.isDrawing) {
    s.next = bytes
    return
  }
  s.isDrawing = true
  const wait = s.everyMs - (Date.now() - s.sentAt)
  const send = () => {
    const newest = s.next ?? bytes
    s.next = undefined
    s.sentAt = Date.now()
    s.viewer?.picture(newest)
  }
  if (wait > 5) setTimeout(send, wait).unref()
  else send()
}

/** Handles the page's report that it drew a picture: the next may follow, later if the connection is slow. */
export function acknowledgePicture(s: BrowserState, rtt: number | undefined): void {
  const fps = rtt !== undefined && rtt > SLOW_MS ? SLOW_FPS : FULL_FPS
  const everyMs = fps === SLOW_FPS ? 1000 / SLOW_FPS : 0
  if (everyMs !== s.everyMs) s.viewer?.tell({ tell: 'pace', fps })
  s.everyMs = everyMs
  s.isDrawing = false
  const { next } = s
  s.next = undefined
  if (next) sendPicture(s, next)
}

/** Activates a tab and casts it. */
export async function activateTab(s: BrowserState, targetId: string): Promise<void> {
  if (!s.pages.has(targetId)) return
  if (s.active !== targetId) await stopCast(s)
  s.active = targetId
  await s.cdp.send('Target.activateTarget', { targetId })
  sendTabList(s)
  if (s.viewer) await startCast(s)
}
