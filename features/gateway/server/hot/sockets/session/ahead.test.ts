import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NO_LOAD } from '../rules.ts'
import { recordAutoAnswer, countFurtherResponses, recordReceivedSpeech, recordForwardedSpeech } from './ahead.ts'
import { createVendorSessionStart } from './talk.ts'
import type { VendorSession } from './talk.ts'

/** A session whose vendor echoes at once. */
let talk: VendorSession
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  talk = { ...createVendorSessionStart(NO_LOAD, Date.now()), protocol: {} } as VendorSession
  talk.echo.echoes = true
  advanceClock(0)
})
afterEach(() => vi.useRealTimers())

function advanceClock(ms: number): void {
  vi.setSystemTime(Date.now() + ms)
  talk.echo.heardUntil = Date.now()
  talk.echo.overTo = Date.now() - 5_000
}
const aSpeechFrame = (speech: number) => ({ load: NO_LOAD, begins: true, speech })
/** Speech arrives; returns how many answers it may bring beside the next one. */
function receiveSpeech(seconds: number): number {
  recordReceivedSpeech(talk, seconds)
  return countFurtherResponses(talk, aSpeechFrame(seconds))
}
/** Speech that arrives and is forwarded at once. */
function receiveAndForwardSpeech(seconds: number): number {
  const most = receiveSpeech(seconds)
  recordForwardedSpeech(talk, seconds)
  return most
}

test('speech sent in one burst: each second beyond the first is another answer', () => {
  expect(Array.from({ length: 6 }, () => receiveAndForwardSpeech(1))).toEqual([0, 1, 2, 3, 4, 5])
})

test('speech sent in pieces of 20 ms counts the same', () => {
  const most = Array.from({ length: 250 }, () => receiveAndForwardSpeech(0.02))
  expect(most.at(-1)).toBe(4)
})

test('speech counts until an answer begins', () => {
  for (let n = 0; n < 4; n++) receiveAndForwardSpeech(1)
  advanceClock(1_500)
  recordAutoAnswer(talk)
  recordAutoAnswer(talk)
  expect(receiveSpeech(1)).toBe(2)
})

test('speech counts until five seconds of the vendor’s time are over', () => {
  for (let n = 0; n < 4; n++) receiveAndForwardSpeech(1)
  advanceClock(4_900)
  expect(countFurtherResponses(talk, aSpeechFrame(1))).toBe(4)
  advanceClock(101)
  expect(countFurtherResponses(talk, aSpeechFrame(1))).toBe(0)
})

test.each([0.02, 0.1, 0.5])('speech in real time, %s s at once: one answer at a time, however late the vendor is', (piece) => {
  for (let n = 0; n < 20 / piece; n++) {
    expect(receiveAndForwardSpeech(piece)).toBe(0)
    advanceClock(piece * 1_000)
  }
})

test('a frame of a second or more is an utterance, not live speech: each counts, however slowly they arrive', () => {
  const most = Array.from({ length: 4 }, () => {
    const beside = receiveAndForwardSpeech(1)
    advanceClock(1_000)
    return beside
  })
  expect(most).toEqual([0, 1, 2, 3])
})

test('speech that the network delays for a second and a half is not a burst', () => {
  receiveAndForwardSpeech(0.1)
  advanceClock(1_500)
  for (let n = 0; n < 14; n++) expect(receiveAndForwardSpeech(0.1)).toBe(0)
})

test('speech that waited and is forwarded late makes no room for speech right behind it', () => {
  receiveAndForwardSpeech(1)
  expect(receiveSpeech(1)).toBe(1)
  advanceClock(6_000)
  recordForwardedSpeech(talk, 1)
  expect(receiveAndForwardSpeech(1)).toBe(1)
})

test('a requested answer is counted beside those to speech', () => {
  for (let n = 0; n < 3; n++) receiveAndForwardSpeech(1)
  talk.stirredAt = Date.now()
  expect(countFurtherResponses(talk, { load: NO_LOAD, begins: true, asks: true })).toBe(4)
})
