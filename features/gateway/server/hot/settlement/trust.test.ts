import { expect, test } from 'vitest'
import { chooseEstimate, createTrust, recordEstimate } from './trust.ts'
import type { Trust } from './trust.ts'

const ACCOUNT = 1n
const neverByChance = () => 0.9
const processes = (count: number): Trust[] => Array.from({ length: count }, () => createTrust(neverByChance, () => count))
/** Nano-dollars estimated before a comparison, in steps of a thousandth of a cent. */
function sumEstimated(trust: Trust): bigint {
  const step = 10_000n
  let all = 0n
  while (chooseEstimate(trust, ACCOUNT, step) === 'guess') all += step
  return all
}

test.each([1, 2, 3, 10])('%i processes estimate 0.002 dollars together before one of them compares, without shared state', (count) => {
  const all = processes(count).map(sumEstimated)
  expect(all.reduce((a, b) => a + b)).toBeGreaterThan(1_800_000n)
  expect(all.reduce((a, b) => a + b)).toBeLessThanOrEqual(2_000_000n)
})

test.each([1, 4])('%i processes: a comparison that held earns four times its amount, and no more than 0.02 dollars stand open', (count) => {
  const all = processes(count)
  for (const trust of all) {
    sumEstimated(trust)
    expect(recordEstimate(trust, ACCOUNT, 100_000n, 90_000n)).toBe('held')
    expect(sumEstimated(trust)).toBe(400_000n)
    expect(recordEstimate(trust, ACCOUNT, 900_000_000n, 1n)).toBe('held')
  }
  expect(all.map(sumEstimated).reduce((a, b) => a + b)).toBe(20_000_000n)
})

test('an estimate that fell short ends estimates for the account, and for no other', () => {
  const [trust] = processes(1) as [Trust]
  expect(recordEstimate(trust, ACCOUNT, 99n, 100n)).toBe('short')
  expect(chooseEstimate(trust, ACCOUNT, 1n)).toBe('read')
  expect(recordEstimate(trust, ACCOUNT, 100n, 1n)).toBe('held')
  expect(chooseEstimate(trust, ACCOUNT, 1n)).toBe('read')
  expect(chooseEstimate(trust, 2n, 1n)).toBe('guess')
})

test('one in five is compared by chance', () => {
  let n = 0
  const trust = createTrust(() => (n++ % 10) / 10)
  const made = Array.from({ length: 100 }, () => chooseEstimate(trust, ACCOUNT, 1n))
  expect(made.filter((choice) => choice === 'check')).toHaveLength(20)
})
