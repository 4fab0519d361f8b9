import type { RemotePageMessage } from '../../wire.ts'
import { MAX_PASTE_LENGTH } from '../../wire.ts'
import { activateTab, acknowledgePicture, startCast, stopCast } from './cast.ts'
import type { CdpParams } from './cdp.ts'
import { handleFileAction } from './file-transfer.ts'
import type { ViewportSize } from './launch.ts'
import { retryPageCommand, requireActiveSession, MAX_BROWSER_TABS, BLANK_PAGE_URL } from './state.ts'
import type { BrowserState } from './state.ts'

/** Ctrl and Meta: keys pressed with them produce no text. */
const COMMAND = 2 | 4

/**
 * Parses an address from the address bar. Accepts web URLs only, no local files or browser pages; other text is refused rather than
 * searched.
 */
export function parseTypedAddress(typed: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/:]+:\d+(\/|$)/.test(typed) ? typed : `https://${typed}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && /[.\]]/.test(url.hostname) ? url.href : undefined
}

/** Performs an action of the page. */
export async function performPageAction(s: BrowserState, wish: RemotePageMessage): Promise<void> {
  const { cdp } = s
  switch (wish.do) {
    case 'drawn':
      return acknowledgePicture(s, wish.rtt)
    case 'ping':
      return s.viewer?.tell({ tell: 'pong', at: wish.at })
    case 'mouse': {
      const { do: _do, ...event } = wish
      return void (await cdp.send('Input.dispatchMouseEvent', event, requireActiveSession(s)))
    }
    case 'wheel': {
      const { x, y, dx: deltaX, dy: deltaY, modifiers } = wish
      return void (await cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX, deltaY, modifiers }, requireActiveSession(s)))
    }
    case 'key':
      return pressKey(s, wish)
    case 'text':
      return void (await cdp.send('Input.insertText', { text: wish.text }, requireActiveSession(s)))
    case 'take':
      return readSelection(s)
    case 'size':
      return resize(s, { width: wish.width, height: wish.height })
    case 'put':
    case 'choose':
    case 'get':
      return handleFileAction(s, wish)
    default:
      return navigate(s, wish)
  }
}

type NavigationAction = Extract<RemotePageMessage, { do: 'go' | 'back' | 'forward' | 'reload' | 'tab' | 'newTab' | 'closeTab' }>

/** Handles the address bar and the tabs. */
async function navigate(s: BrowserState, wish: NavigationAction): Promise<void> {
  const { cdp } = s
  switch (wish.do) {
    case 'go': {
      const url = parseTypedAddress(wish.address)
      if (!url) return s.viewer?.tell({ tell: 'refused', what: 'address' })
      return void (await retryPageCommand(() => cdp.send('Page.navigate', { url }, requireActiveSession(s))))
    }
    case 'back':
    case 'forward':
      return stepHistory(s, wish.do === 'back' ? -1 : 1)
    case 'reload':
      return void (await cdp.send('Page.reload', {}, requireActiveSession(s)))
    case 'tab':
      return activateTab(s, wish.id)
    case 'newTab':
      return void (s.pages.size < MAX_BROWSER_TABS && (await cdp.send('Target.createTarget', { url: BLANK_PAGE_URL })))
    case 'closeTab':
      return void (s.pages.has(wish.id) && (await cdp.send('Target.closeTarget', { targetId: wish.id })))
  }
}

/** Builds the parameters of `Input.dispatchKeyEvent`: a typed letter carries its text, a command does not. */
export function buildKeyEvent({ type, key, code, keyCode, text, modifiers }: Omit<Extract<RemotePageMessage, { do: 'key' }>, 'do'>): CdpParams {
  const isTyped = type === 'keyDown' && text !== '' && (modifiers & COMMAND) === 0
  const event = { key, code, windowsVirtualKeyCode: keyCode, modifiers, ...(isTyped ? { text } : {}), ...resolveEditingCommand(key, modifiers) }
  return { type: type === 'keyDown' && !isTyped ? 'rawKeyDown' : type, ...event }
}

/** Names the editing command of a shortcut: without a window system, Chromium does not turn Ctrl+A into "select all". */
function resolveEditingCommand(key: string, modifiers: number): { commands?: readonly string[] } {
  const name = (modifiers & COMMAND) === 0 ? undefined : { a: 'selectAll', z: modifiers & 8 ? 'redo' : 'undo', y: 'redo' }[key.toLowerCase()]
  return name ? { commands: [name] } : {}
}

async function pressKey(s: BrowserState, wish: Extract<RemotePageMessage, { do: 'key' }>): Promise<void> {
  await s.cdp.send('Input.dispatchKeyEvent', buildKeyEvent(wish), requireActiveSession(s))
}

/** Script that returns the selected text of the focused field or of the page. */
const SELECTED = `(() => { const e = document.activeElement; const v = e && 'value' in e && typeof e.selectionStart === 'number' ? String(e.value).slice(e.selectionStart, e.selectionEnd) : ''; return (v || String(getSelection() ?? '')).slice(0, ${MAX_PASTE_LENGTH}) })()`

/** Reads the selection in an isolated world, so that the page can neither see nor change it. */
async function readSelection(s: BrowserState): Promise<void> {
  const { cdp } = s
  const { frameTree } = await cdp.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree', {}, requireActiveSession(s))
  const { executionContextId: contextId } = await cdp.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    { frameId: frameTree.frame.id },
    requireActiveSession(s),
  )
  const asked = { expression: SELECTED, contextId, returnByValue: true }
  const { result } = await cdp.send<{ result?: { value?: unknown } }>('Runtime.evaluate', asked, requireActiveSession(s))
  s.viewer?.tell({ tell: 'taken', text: typeof result?.value === 'string' ? result.value : '' })
}

interface History {
  readonly currentIndex: number
  readonly entries: readonly { readonly id: number }[]
}

async function stepHistory(s: BrowserState, by: number): Promise<void> {
  const { currentIndex, entries } = await s.cdp.send<History>('Page.getNavigationHistory', {}, requireActiveSession(s))
  const entry = entries[currentIndex + by]
  if (entry) await s.cdp.send('Page.navigateToHistoryEntry', { entryId: entry.id }, requireActiveSession(s))
}

async function resize(s: BrowserState, size: ViewportSize): Promise<void> {
  if (size.width === s.size.width && size.height === s.size.height) return
  s.size = size
  for (const { sessionId } of s.pages.values())
    await s.cdp.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false }, sessionId)
  s.viewer?.tell({ tell: 'size', ...size })
  if (!s.viewer) return
  await stopCast(s)
  await startCast(s)
}
