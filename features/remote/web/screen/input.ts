import { LARGEST, SMALLEST } from '../../wire.ts'
import type { FromPage } from '../../wire.ts'

export interface Size {
  readonly width: number
  readonly height: number
}
export interface Box extends Size {
  readonly left: number
  readonly top: number
}
type Mods = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
export type KeyWish = Extract<FromPage, { do: 'key' }>

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** Maps a pointer position to the remote page, for any position and scale of the picture. */
export function pointOn(box: Box, size: Size, at: { readonly clientX: number; readonly clientY: number }): { x: number; y: number } {
  const x = ((at.clientX - box.left) / Math.max(1, box.width)) * size.width
  const y = ((at.clientY - box.top) / Math.max(1, box.height)) * size.height
  return { x: within(Math.round(x), 0, size.width - 1), y: within(Math.round(y), 0, size.height - 1) }
}

/**
 * Modifier bits of the DevTools Protocol: Alt 1, Ctrl 2, Meta 4, Shift 8. The remote browser runs on Linux, so the Mac's Command key becomes Ctrl.
 */
export function modifiersOf({ altKey, ctrlKey, metaKey, shiftKey }: Mods, isMac = false): number {
  const control = ctrlKey || (isMac && metaKey)
  return (altKey ? 1 : 0) | (control ? 2 : 0) | (metaKey && !isMac ? 4 : 0) | (shiftKey ? 8 : 0)
}

export const buttonOf = (button: number): 'left' | 'middle' | 'right' | 'none' => (['left', 'middle', 'right'] as const)[button] ?? 'none'

type Pressed = Mods & Pick<KeyboardEvent, 'key' | 'code' | 'keyCode' | 'isComposing'>

/** Converts a key event to a message; undefined while an input method composes: its text is sent when complete. */
export function keyWish(event: Pressed, type: 'keyDown' | 'keyUp', isMac = false): KeyWish | undefined {
  const { key, code, keyCode, isComposing } = event
  if (isComposing || keyCode === 229 || key === 'Process' || key === 'Unidentified' || key === 'Dead') return undefined
  const name = isMac && key === 'Meta' ? 'Control' : key
  const text = type === 'keyDown' ? (key === 'Enter' ? '\r' : [...key].length === 1 ? key : '') : ''
  return { do: 'key', type, key: name, code, keyCode: within(name === 'Control' ? 17 : keyCode, 0, 255), text, modifiers: modifiersOf(event, isMac) }
}

/** Key events for a button or an input method. */
export function pressOf(key: 'Backspace' | 'Enter' | 'Escape'): readonly KeyWish[] {
  const keyCode = { Backspace: 8, Enter: 13, Escape: 27 }[key]
  const one = (type: 'keyDown' | 'keyUp'): KeyWish => ({
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

/** Ctrl or Command with this letter. */
export const isCommand = (event: Mods & Pick<KeyboardEvent, 'key'>, letter: string): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === letter

/** The remote page takes the size of our window, as far as it may. */
export function sizeFor({ width, height }: Size): Size {
  return { width: within(Math.floor(width), SMALLEST.width, LARGEST.width), height: within(Math.floor(height), SMALLEST.height, LARGEST.height) }
}

export interface View {
  readonly scale: number
  readonly x: number
  readonly y: number
}
export const WHOLE: View = { scale: 1, x: 0, y: 0 }
const MOST_SCALE = 4

/** Two fingers: what is between them stays between them, and the picture never leaves its frame. */
export function pinched(view: View, frame: Size, from: { readonly distance: number; readonly x: number; readonly y: number }, to: typeof from): View {
  const scale = within(view.scale * (to.distance / Math.max(1, from.distance)), 1, MOST_SCALE)
  const grown = scale / view.scale
  const x = to.x - (from.x - view.x) * grown
  const y = to.y - (from.y - view.y) * grown
  return { scale, x: within(x, frame.width * (1 - scale), 0), y: within(y, frame.height * (1 - scale), 0) }
}
