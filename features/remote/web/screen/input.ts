import { MAX_PASTE_LENGTH, MAX_REMOTE_SIZE, MIN_REMOTE_SIZE } from '../../wire.ts'
import type { RemotePageMessage } from '../../wire.ts'

export interface ScreenSize {
  readonly width: number
  readonly height: number
}
export interface ScreenBox extends ScreenSize {
  readonly left: number
  readonly top: number
}
type ModifierKeys = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
export type KeyMessage = Extract<RemotePageMessage, { do: 'key' }>
type TextMessage = Extract<RemotePageMessage, { do: 'text' }>

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Maps a pointer position to the remote page, for any position and scale of the picture. */
export function mapPointToRemote(box: ScreenBox, size: ScreenSize, at: { readonly clientX: number; readonly clientY: number }): { x: number; y: number } {
  const x = ((at.clientX - box.left) / Math.max(1, box.width)) * size.width
  const y = ((at.clientY - box.top) / Math.max(1, box.height)) * size.height
  return { x: clamp(Math.round(x), 0, size.width - 1), y: clamp(Math.round(y), 0, size.height - 1) }
}

/**
 * Modifier bits of the DevTools Protocol: Alt 1, Ctrl 2, Meta 4, Shift 8. The remote browser runs on Linux, so the Mac's Command key becomes Ctrl.
 */
export function readModifiers({ altKey, ctrlKey, metaKey, shiftKey }: ModifierKeys, isMac = false): number {
  const control = ctrlKey || (isMac && metaKey)
  return (altKey ? 1 : 0) | (control ? 2 : 0) | (metaKey && !isMac ? 4 : 0) | (shiftKey ? 8 : 0)
}

export const readMouseButton = (button: number): 'left' | 'middle' | 'right' | 'none' => (['left', 'middle', 'right'] as const)[button] ?? 'none'

type KeyPress = ModifierKeys & Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'isComposing'>

/** Converts a key event to a message; undefined while an input method composes: its text is sent when complete. */
export function buildKeyMessage(event: KeyPress, type: 'keyDown' | 'keyUp', isMac = false): KeyMessage | undefined {
  const { key, code, keyCode, isComposing } = event
  if (isComposing || keyCode === 229 || key === 'Process' || key === 'Unidentified' || key === 'Dead') return undefined
  const name = isMac && key === 'Meta' ? 'Control' : key
  const text = type === 'keyDown' ? (key === 'Enter' ? '\r' : [...key].length === 1 ? key : '') : ''
  return { do: 'key', type, key: name, code, keyCode: clamp(name === 'Control' ? 17 : keyCode, 0, 255), text, modifiers: readModifiers(event, isMac) }
}

/** Key events for a button or an input method. */
export function buildKeyPress(key: 'Backspace' | 'Enter' | 'Escape'): readonly KeyMessage[] {
  const keyCode = { Backspace: 8, Enter: 13, Escape: 27 }[key]
  const one = (type: 'keyDown' | 'keyUp'): KeyMessage => ({
    do: 'key',
    type,
    key,
    code: key,
    keyCode,
    text: type === 'keyDown' && key === 'Enter' ? '\r' : '',
    modifiers: 0,
  })
  return [one('keyDown'), one('keyUp')]
}

/** Splits a text of any length into messages, between characters rather than inside a surrogate pair. */
export function buildTextMessages(value: string): readonly TextMessage[] {
  const messages: TextMessage[] = []
  for (let at = 0; at < value.length;) {
    const most = at + MAX_PASTE_LENGTH
    const cutsPair = most < value.length && (value.codePointAt(most - 1) ?? 0) > 0xff_ff
    const end = cutsPair ? most - 1 : most
    messages.push({ do: 'text', text: value.slice(at, end) })
    at = end
  }
  return messages
}

/** True for Ctrl or Command with this letter. */
export const isCommandKey = (event: ModifierKeys & Pick<KeyboardEvent, 'key'>, letter: string): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === letter

/** Size of the remote page: that of our window, within limits. */
export function fitRemoteSize({ width, height }: ScreenSize): ScreenSize {
  return {
    width: clamp(Math.floor(width), MIN_REMOTE_SIZE.width, MAX_REMOTE_SIZE.width),
    height: clamp(Math.floor(height), MIN_REMOTE_SIZE.height, MAX_REMOTE_SIZE.height),
  }
}

export interface ZoomView {
  readonly scale: number
  readonly x: number
  readonly y: number
}
export const FULL_VIEW: ZoomView = { scale: 1, x: 0, y: 0 }
const MAX_SCALE = 4

/** Pinch zoom: the point between two fingers stays fixed, and the picture never leaves its frame. */
export function pinchView(
  view: ZoomView,
  frame: ScreenSize,
  { from, to }: { readonly from: { readonly distance: number; readonly x: number; readonly y: number }; readonly to: typeof from },
): ZoomView {
  const scale = clamp(view.scale * (to.distance / Math.max(1, from.distance)), 1, MAX_SCALE)
  const grown = scale / view.scale
  const x = to.x - (from.x - view.x) * grown
  const y = to.y - (from.y - view.y) * grown
  return { scale, x: clamp(x, frame.width * (1 - scale), 0), y: clamp(y, frame.height * (1 - scale), 0) }
}
