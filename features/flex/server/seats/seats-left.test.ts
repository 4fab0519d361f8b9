import { expect, test } from 'vitest'
import { packages } from '../../packages.ts'
import { isFullBuying, seatsLeft } from './seats-left.ts'

const seats = packages.flatMap((one) => one.seats)
const roomWith = (free: number) => seats.map(({ platform, tier }) => ({ platform, tier, free }))

test('a package has as many free seats as its scarcest platform', () => {
  const both = packages.find((one) => one.seats.length > 1 && !one.extends)!
  const [{ platform, tier }] = both.seats as [(typeof seats)[number]]
  const room = roomWith(9).map((each) => (each.platform === platform && each.tier === tier ? { ...each, free: 2 } : each))
  expect([seatsLeft(both, room), seatsLeft(both, roomWith(9)), seatsLeft(both, [])]).toEqual([2, 9, 0])
})

test('extensions do not count as something to buy', () => {
  expect(packages.some((one) => one.extends)).toBe(true)
  expect([isFullBuying(roomWith(0)), isFullBuying([]), isFullBuying(roomWith(1))]).toEqual([false, false, true])
})
