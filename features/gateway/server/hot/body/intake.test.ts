import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { limitIntake } from './intake.ts'

const PIECE = 65_536
/** One turn's share, plus one piece of each of up to eight resumed requests. */
const FOR_ONE_TURN = 2 * 524_288

/** A request that has data ready whenever it is not paused, like a sender on the same network. */
function aRequest(pieces: number) {
  let isHalted = false
  const it = {
    sent: 0,
    pause: () => (isHalted = true),
    resume: () => {
      isHalted = false
      it.send()
    },
    send: () => {
      while (!isHalted && it.sent < pieces) {
        it.sent++
        limitIntake(it, PIECE)
      }
    },
  }
  return it
}

/** Makes every turn take this many ms on the clock. */
function mockTurnDuration(ms: number): void {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => (now += ms))
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('intake of large bodies', () => {
  it('a turn takes in no more than its share, and all of it comes in the end', async () => {
    await turn()
    const one = aRequest(1_000)
    one.send()
    expect(one.sent * PIECE).toBeLessThanOrEqual(FOR_ONE_TURN)
    let turns = 0
    for (let before = one.sent; one.sent < 1_000; before = one.sent) {
      await turn()
      turns++
      expect((one.sent - before) * PIECE).toBeLessThanOrEqual(FOR_ONE_TURN)
      expect(one.sent).toBeGreaterThanOrEqual(before)
    }
    expect(turns).toBeGreaterThan(10)
  })

  it.each([0, 1, 2.5, 7, 50])('forty senders share turns of %s ms evenly, and none is left behind', async (ms) => {
    mockTurnDuration(ms)
    await turn()
    const all = Array.from({ length: 40 }, () => aRequest(50))
    for (const one of all) one.send()
    const together = (): number => all.reduce((sum, { sent }) => sum + sent, 0)
    const atFirst = Math.max(...all.map((one) => one.sent))
    for (let before = together(); together() < 40 * 50; before = together()) {
      await turn()
      expect((together() - before) * PIECE).toBeLessThanOrEqual(FOR_ONE_TURN)
      const sent = all.map((one) => one.sent)
      expect(Math.max(...sent) - Math.min(...sent)).toBeLessThanOrEqual(atFirst)
    }
  })

  it('two senders share a long turn', async () => {
    mockTurnDuration(50)
    await turn()
    const [one, other] = [aRequest(1_000), aRequest(1_000)]
    for (const it of [one, other]) it.send()
    for (let i = 0; i < 50; i++) await turn()
    expect(one.sent + other.sent).toBeGreaterThan(300)
    expect(Math.abs(one.sent - other.sent)).toBeLessThanOrEqual(8)
  })
})
