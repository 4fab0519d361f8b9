import { expect, test } from 'vitest'
import {
  readMouseButton,
  buildKeyMessage,
  readModifiers,
  pinchView,
  mapPointToRemote,
  buildKeyPress,
  fitRemoteSize,
  FULL_VIEW,
  buildTextMessages,
} from './input.ts'
import { MAX_PASTE_LENGTH, remotePageMessage } from '../../wire.ts'

const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
const keyPress = (key: string, over: object = {}) => ({ ...plain, key, code: `Key${key}`, keyCode: 65, isComposing: false, ...over })

test('a point of the window is scaled and moved to a point of the page, and never lies outside', () => {
  const box = { left: 100, top: 50, width: 640, height: 400 }
  const size = { width: 1280, height: 800 }
  expect(mapPointToRemote(box, size, { clientX: 100, clientY: 50 })).toEqual({ x: 0, y: 0 })
  expect(mapPointToRemote(box, size, { clientX: 420, clientY: 250 })).toEqual({ x: 640, y: 400 })
  expect(mapPointToRemote(box, size, { clientX: 9_999, clientY: -5 })).toEqual({ x: 1279, y: 0 })
  expect(mapPointToRemote({ ...box, width: 0, height: 0 }, size, { clientX: 100, clientY: 50 })).toEqual({ x: 0, y: 0 })
})

test('modifiers are bits, and a Mac’s command key is Ctrl in the remote browser', () => {
  expect(readModifiers({ altKey: true, ctrlKey: true, metaKey: true, shiftKey: true })).toBe(15)
  expect(readModifiers({ ...plain, metaKey: true }, true)).toBe(2)
  expect([0, 1, 2, 3].map(readMouseButton)).toEqual(['left', 'middle', 'right', 'none'])
})

test('a letter sends its text on keyDown only, Enter a line’s end, and composed input no keys', () => {
  expect(buildKeyMessage(keyPress('a'), 'keyDown')).toMatchObject({ key: 'a', text: 'a', keyCode: 65 })
  expect(buildKeyMessage(keyPress('a'), 'keyUp')).toMatchObject({ text: '' })
  expect(buildKeyMessage(keyPress('Enter', { keyCode: 13 }), 'keyDown')).toMatchObject({ text: '\r' })
  expect(buildKeyMessage(keyPress('Tab', { keyCode: 9 }), 'keyDown')).toMatchObject({ text: '' })
  expect(buildKeyMessage(keyPress('é'), 'keyDown')).toMatchObject({ text: 'é' })
  for (const over of [{ isComposing: true }, { keyCode: 229 }, { key: 'Process' }, { key: 'Dead' }])
    expect(buildKeyMessage(keyPress('n', over), 'keyDown')).toBeUndefined()
  expect(buildKeyMessage(keyPress('Meta', { keyCode: 91, metaKey: true }), 'keyDown', true)).toMatchObject({ key: 'Control', keyCode: 17, modifiers: 2 })
  expect(buildKeyPress('Backspace').map(({ type, keyCode }) => [type, keyCode])).toEqual([
    ['keyDown', 8],
    ['keyUp', 8],
  ])
})

test('the page takes the window’s size within its limits', () => {
  expect(fitRemoteSize({ width: 1100.7, height: 760.2 })).toEqual({ width: 1100, height: 760 })
  expect(fitRemoteSize({ width: 100, height: 5_000 })).toEqual({ width: 320, height: 1200 })
})

test('two fingers zoom about their midpoint, from the whole page to four times, and never beyond its edges', () => {
  const frame = { width: 400, height: 300 }
  const twice = pinchView(FULL_VIEW, frame, { from: { distance: 100, x: 200, y: 150 }, to: { distance: 200, x: 200, y: 150 } })
  expect(twice).toEqual({ scale: 2, x: -200, y: -150 })
  expect(pinchView(twice, frame, { from: { distance: 100, x: 200, y: 150 }, to: { distance: 900, x: 200, y: 150 } }).scale).toBe(4)
  expect(pinchView(twice, frame, { from: { distance: 100, x: 200, y: 150 }, to: { distance: 10, x: 200, y: 150 } })).toEqual(FULL_VIEW)
  expect(pinchView(twice, frame, { from: { distance: 100, x: 0, y: 0 }, to: { distance: 100, x: 900, y: -900 } })).toEqual({ scale: 2, x: 0, y: -300 })
})

test('a long text is sent in pieces that the server accepts, without a character lost or cut', () => {
  for (const text of ['', 'a', 'x'.repeat(MAX_PASTE_LENGTH), 'x'.repeat(MAX_PASTE_LENGTH + 1), `x${'😀'.repeat(MAX_PASTE_LENGTH)}`]) {
    const pieces = buildTextMessages(text)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
    for (const piece of pieces) {
      expect(remotePageMessage.safeParse(piece).success).toBe(true)
      expect(piece.text.isWellFormed()).toBe(true)
    }
  }
  expect(buildTextMessages('x'.repeat(MAX_PASTE_LENGTH))).toHaveLength(1)
})
