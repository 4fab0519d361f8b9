import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_LOAD } from '../rules.ts'
import { answered, further, hear, speak } from './ahead.ts'
import { beginning } from './talk.ts'
import type { Talk } from './talk.ts'

/** A session whose vendor echoes at once. */
let talk: Talk
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  talk = { ...beginning(NO_LOAD, Date.now()), protocol: {} } as Talk
  talk.echo.echoes = true
  pass(0)
})
afterEach(() => vi.useRealTimers())

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
  talk.echo.heardUntil = Date.now()
  talk.echo.overTo = Date.now() - 5_000
}
const frame = (speech: number) => ({ load: NO_LOAD, begins: true, speech })
/** Speech arrives; returns how many answers it may bring beside the next one. */
function comes(seconds: number): number {
  hear(talk, seconds)
  return further(talk, frame(seconds))
}
/** Speech that arrives and is forwarded at once. */
function said(seconds: number): number {
  const most = comes(seconds)
  speak(talk, seconds)
  return most
}

test('speech sent in one burst: each second beyond the first is another answer', () => {
  expect(Array.from({ length: 6 }, () => said(1))).toEqual([0, 1, 2, 3, 4, 5])
})

test('speech sent in pieces of 20 ms counts the same', () => {
  const most = Array.from({ length: 250 }, () => said(0.02))
  expect(most.at(-1)).toBe(4)
})

test('speech counts until an answer begins', () => {
  for (let n = 0; n < 4; n++) said(1)
  pass(1_500)
  answered(talk)
  answered(talk)
  expect(comes(1)).toBe(2)
})

test('speech counts until five seconds of the vendor’s time are over', () => {
  for (let n = 0; n < 4; n++) said(1)
  pass(4_900)
  expect(further(talk, frame(1))).toBe(4)
  pass(101)
  expect(further(talk, frame(1))).toBe(0)
})

test.each([0.02, 0.1, 0.5])('speech in real time, %s s at once: one answer at a time, however late the vendor is', (piece) => {
  for (let n = 0; n < 20 / piece; n++) {
    expect(said(piece)).toBe(0)
    pass(piece * 1_000)
  }
})

test('a frame of a second or more is an utterance, not live speech: each counts, however slowly they arrive', () => {
  const most = Array.from({ length: 4 }, () => {
    const beside = said(1)
    pass(1_000)
    return beside
  })
  expect(most).toEqual([0, 1, 2, 3])
})

test('speech that the network delays for a second and a half is not a burst', () => {
  said(0.1)
  pass(1_500)
  for (let n = 0; n < 14; n++) expect(said(0.1)).toBe(0)
})

test('speech that waited and is forwarded late makes no room for speech right behind it', () => {
  said(1)
  expect(comes(1)).toBe(1)
  pass(6_000)
  speak(talk, 1)
  expect(said(1)).toBe(1)
})

test('a requested answer is counted beside those to speech', () => {
  for (let n = 0; n < 3; n++) said(1)
  talk.stirredAt = Date.now()
  expect(further(talk, { load: NO_LOAD, begins: true, asks: true })).toBe(4)
})
