import { expect, test } from 'vitest'
import { buildAxis, pickNamedBars, computeAxisReach } from './scale.ts'

test.each([
  [5.92, [0, 1.5, 3, 4.5, 6]],
  [8, [0, 2, 4, 6, 8]],
  [0.0004, [0, 0.0001, 0.0002, 0.0003, 0.0004]],
  [97.58, [0, 25, 50, 75, 100]],
  [1, [0, 0.25, 0.5, 0.75, 1]],
])('to %d by four round steps', (most, ticks) => {
  expect(buildAxis(most).ticks).toEqual(ticks)
})

test('counts have whole steps', () => {
  for (let most = 0; most < 500; most++) {
    const { ticks, top } = buildAxis(most, true)
    expect(ticks.every(Number.isInteger)).toBe(true)
    expect(top).toBeGreaterThanOrEqual(most)
  }
})

test('an axis reaches its highest bar and is never twice as high', () => {
  for (let most = 0.0001; most < 1e6; most *= 1.07) {
    const { top } = buildAxis(most)
    expect(top).toBeGreaterThanOrEqual(most * (1 - 1e-9))
    expect(top).toBeLessThanOrEqual(most * 2)
  }
})

test('one tower does not flatten the rest; two days do not make a tower', () => {
  const month = [0, 0, ...Array.from({ length: 26 }, (_, i) => 2 + (i % 4)), 400, 1]
  expect(computeAxisReach(month)).toBe(5)
  expect(computeAxisReach([1, 400])).toBe(400)
  expect(computeAxisReach([2, 3, 4, 5, 6, 7])).toBe(7)
  expect(computeAxisReach([])).toBe(0)
})

test('names are few, and the last bar has one', () => {
  expect([...pickNamedBars(30, 10)].toSorted((a, b) => a - b)).toEqual([2, 5, 8, 11, 14, 17, 20, 23, 26, 29])
  expect(pickNamedBars(3, 10).size).toBe(3)
  expect(pickNamedBars(48, 10).has(47)).toBe(true)
  expect(pickNamedBars(48, 10).size).toBeLessThanOrEqual(10)
})

test('an empty chart gets an axis of round figures', () => {
  expect(buildAxis(0)).toEqual({ top: 1, ticks: [0, 0.25, 0.5, 0.75, 1] })
  expect(buildAxis(0, true)).toEqual({ top: 4, ticks: [0, 1, 2, 3, 4] })
})
