import { expect, test } from 'vitest'
import { flexPackages } from '../../packages.ts'
import { hasFreePaidSeat, countFreeSeats } from './seats-left.ts'

const seats = flexPackages.flatMap((one) => one.seats)
const availability = (free: number) => seats.map(({ platform, tier }) => ({ platform, tier, free }))

test('a package has as many free seats as its scarcest platform', () => {
  const both = flexPackages.find((one) => one.seats.length > 1 && !one.extends)!
  const [{ platform, tier }] = both.seats as [(typeof seats)[number]]
  const room = availability(9).map((each) => (each.platform === platform && each.tier === tier ? { ...each, free: 2 } : each))
  expect([countFreeSeats(both, room), countFreeSeats(both, availability(9)), countFreeSeats(both, [])]).toEqual([2, 9, 0])
})

test('extensions do not count as something to buy', () => {
  expect(flexPackages.some((one) => one.extends)).toBe(true)
  expect([hasFreePaidSeat(availability(0)), hasFreePaidSeat([]), hasFreePaidSeat(availability(1))]).toEqual([false, false, true])
})
