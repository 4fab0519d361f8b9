import type { FromPage } from '../../wire.ts'
import { MOST_TEXT } from '../../wire.ts'
import { activate, drawn, startCast, stopCast } from './cast.ts'
import type { Params } from './cdp.ts'
import { handOver } from './hand-over.ts'
import type { Size } from './launch.ts'
import { again, current, MOST_TABS, START } from './state.ts'
import type { State } from './state.ts'

/** Ctrl and Meta: what is pressed with them types nothing. */
const COMMAND = 2 | 4

/** Only the web: no files of the machine, no inner pages of the browser. What is no address is not searched for us by anybody: it is refused. */
export function webAddress(typed: string): string | undefined {
  const text = /^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^[^/:]+:\d+(\/|$)/.test(typed) ? typed : `https://${typed}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && /[.\]]/.test(url.hostname) ? url.href : undefined
}

/** Does what the page wishes. */
export async function act(s: State, wish: FromPage): Promise<void> {
  const { cdp } = s
  switch (wish.do) {
    case 'drawn':
      return drawn(s, wish.rtt)
    case 'ping':
      return s.viewer?.tell({ tell: 'pong', at: wish.at })
    case 'mouse': {
      const { do: _do, ...event } = wish
      return void (await cdp.send('Input.dispatchMouseEvent', event, current(s)))
    }
    case 'wheel': {
      const { x, y, dx: deltaX, dy: deltaY, modifiers } = wish
      return void (await cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX, deltaY, modifiers }, current(s)))
    }
    case 'key':
      return pressKey(s, wish)
    case 'text':
      return void (await cdp.send('Input.insertText', { text: wish.text }, current(s)))
    case 'take':
      return take(s)
    case 'size':
      return resize(s, { width: wish.width, height: wish.height })
    case 'put':
    case 'choose':
    case 'get':
      return handOver(s, wish)
    default:
      return walk(s, wish)
  }
}

type Walk = Extract<FromPage, { do: 'go' | 'back' | 'forward' | 'reload' | 'tab' | 'newTab' | 'closeTab' }>

/** The address bar and the tabs. */
async function walk(s: State, wish: Walk): Promise<void> {
  const { cdp } = s
  switch (wish.do) {
    case 'go': {
      const url = webAddress(wish.address)
      if (!url) return s.viewer?.tell({ tell: 'refused', what: 'address' })
      return void (await again(() => cdp.send('Page.navigate', { url }, current(s))))
    }
    case 'back':
    case 'forward':
      return step(s, wish.do === 'back' ? -1 : 1)
    case 'reload':
      return void (await cdp.send('Page.reload', {}, current(s)))
    case 'tab':
      return activate(s, wish.id)
    case 'newTab':
      return void (s.pages.size < MOST_TABS && (await cdp.send('Target.createTarget', { url: START })))
    case 'closeTab':
      return void (s.pages.has(wish.id) && (await cdp.send('Target.closeTarget', { targetId: wish.id })))
  }
}

/** Builds the parameters of `Input.dispatchKeyEvent`: a typed letter carries its text, a command does not. */
export function keyEvent({ type, key, code, keyCode, text, modifiers }: Omit<Extract<FromPage, { do: 'key' }>, 'do'>): Params {
  const isTyped = type === 'keyDown' && text !== '' && (modifiers & COMMAND) === 0
  const event = { key, code, windowsVirtualKeyCode: keyCode, modifiers, ...(isTyped ? { text } : {}), ...editing(key, modifiers) }
  return { type: type === 'keyDown' && !isTyped ? 'rawKeyDown' : type, ...event }
}

/** Names the editing command of a shortcut: without a window system, Chromium does not turn Ctrl+A into "select all". */
function editing(key: string, modifiers: number): { commands?: readonly string[] } {
  const name = (modifiers & COMMAND) === 0 ? undefined : { a: 'selectAll', z: modifiers & 8 ? 'redo' : 'undo', y: 'redo' }[key.toLowerCase()]
  return name ? { commands: [name] } : {}
}

async function pressKey(s: State, wish: Extract<FromPage, { do: 'key' }>): Promise<void> {
  await s.cdp.send('Input.dispatchKeyEvent', keyEvent(wish), current(s))
}

/** Script that returns the selected text of the focused field or of the page. */
const SELECTED = `(() => { const e = document.activeElement; const v = e && 'value' in e && typeof e.selectionStart === 'number' ? String(e.value).slice(e.selectionStart, e.selectionEnd) : ''; return (v || String(getSelection() ?? '')).slice(0, ${MOST_TEXT}) })()`

/** Reads the selection in an isolated world, so that the page can neither see nor change it. */
async function take(s: State): Promise<void> {
  const { cdp } = s
  const { frameTree } = await cdp.send<{ frameTree: { frame: { id: string } } }>('Page.getFrameTree', {}, current(s))
  const { executionContextId: contextId } = await cdp.send<{ executionContextId: number }>(
    'Page.createIsolatedWorld',
    { frameId: frameTree.frame.id },
    current(s),
  )
  const asked = { expression: SELECTED, contextId, returnByValue: true }
  const { result } = await cdp.send<{ result?: { value?: unknown } }>('Runtime.evaluate', asked, current(s))
  s.viewer?.tell({ tell: 'taken', text: typeof result?.value === 'string' ? result.value : '' })
}

interface History {
  readonly currentIndex: number
  readonly entries: readonly { readonly id: number }[]
}

async function step(s: State, by: number): Promise<void> {
  const { currentIndex, entries } = await s.cdp.send<History>('Page.getNavigationHistory', {}, current(s))
  const entry = entries[currentIndex + by]
  if (entry) await s.cdp.send('Page.navigateToHistoryEntry', { entryId: entry.id }, current(s))
}

async function resize(s: State, size: Size): Promise<void> {
  if (size.width === s.size.width && size.height === s.size.height) return
  s.size = size
  for (const { sessionId } of s.pages.values())
    await s.cdp.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false }, sessionId)
  s.viewer?.tell({ tell: 'size', ...size })
  if (!s.viewer) return
  await stopCast(s)
  await startCast(s)
}
