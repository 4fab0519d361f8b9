import { expect, test } from 'vitest'
import { buildKeyEvent, parseTypedAddress } from './page-actions.ts'

test.each([
  ['example.com', 'https://example.com/'],
  ['example.com:8080/x', 'https://example.com:8080/x'],
  ['http://example.com/a b', 'http://example.com/a%20b'],
  ['file:///etc/passwd', undefined],
  ['chrome://version', undefined],
  ['javascript:alert(1)', undefined],
  ['view-source:https://example.com', undefined],
  ['localhost', undefined],
  ['two words', undefined],
])('the address bar makes %s %s', (typed, url) => {
  expect(parseTypedAddress(typed)).toBe(url)
})

const key = { type: 'keyDown', key: 'a', code: 'KeyA', keyCode: 65, text: 'a', modifiers: 0 } as const

test('a letter types its text; with Ctrl it is a command and types nothing, and keyUp types nothing', () => {
  expect(buildKeyEvent(key)).toEqual({ type: 'keyDown', key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, modifiers: 0, text: 'a' })
  expect(buildKeyEvent({ ...key, modifiers: 2 })).toEqual({
    type: 'rawKeyDown',
    key: 'a',
    code: 'KeyA',
    windowsVirtualKeyCode: 65,
    modifiers: 2,
    commands: ['selectAll'],
  })
  expect(buildKeyEvent({ ...key, type: 'keyUp', text: '' })).not.toHaveProperty('text')
})
