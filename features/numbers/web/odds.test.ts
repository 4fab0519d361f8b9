import { expect, it } from 'vitest'
import { computeLaterPercent } from './odds.tsx'

it('the odds compare a wait with those that lasted as long', () => {
  const measured = { waits: [40, 10, 0, 0], count: 100, received: 50 }
  expect([0, 119, 120, 240, 480].map((elapsed) => computeLaterPercent(measured, elapsed))).toEqual([50, 50, 17, 0, 0])
  expect(computeLaterPercent({ waits: [], count: 0, received: 0 }, 10)).toBe(0)
})
