import { expect, test } from 'vitest'
import type { OrderRow } from '../data.ts'
import { computeNextOrderCheck } from './check-order.ts'

const START = Date.parse('2026-11-20T10:00:00Z')
const LIFE = 15 * 60_000

/** Check times of an order that gets no webhook, from its opening to a day after its end. */
function listCheckTimes(watched: boolean): number[] {
  const times: number[] = []
  let at = START + 20_000
  let checks = 0
  for (;;) {
    times.push(at)
    checks++
    const state = at > START + LIFE ? 'expired' : 'paying'
    const row = { state, now: new Date(at), expiresAt: new Date(START + LIFE), checks, seenAt: watched ? new Date(at - 1000) : null } as OrderRow
    const next = computeNextOrderCheck(row, true)
    if (!next) return times
    at = Math.max(next.getTime(), at + 1)
  }
}

/** W8: lost notices cost only time, and the end of the order does not change the schedule. */
test.each([
  ['while a page watches', true, 60],
  ['otherwise', false, 300],
] as const)('W8: a payment %s is found in time', (_name, watched, seconds) => {
  const times = listCheckTimes(watched)
  const during = times.filter((at) => at <= START + LIFE + 3_600_000)
  for (let i = 1; i < during.length; i++) expect((during[i]! - during[i - 1]!) / 1000).toBeLessThanOrEqual(i > 0 && during[i]! > START + LIFE ? 300 : seconds)
  expect(times.at(-1)! - START).toBeGreaterThan(86_400_000)
})

test('a dispute is checked until it is ruled', () => {
  const row = { state: 'disputed', now: new Date(START + 90 * 86_400_000), expiresAt: new Date(START), checks: 9, seenAt: null } as OrderRow
  expect(computeNextOrderCheck(row, true)).not.toBeNull()
})
