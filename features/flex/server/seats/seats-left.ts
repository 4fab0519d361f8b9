import { flexPackages, type FlexPackage } from '../../packages.ts'
import type { SeatAvailability } from './data.ts'

/** Free seats of a package: those of its scarcest platform. An extension adds time to a seat that its user has. */
export const countFreeSeats = (one: FlexPackage, room: readonly SeatAvailability[]): number =>
  one.extends ? Infinity : Math.min(...one.seats.map(({ platform, tier }) => room.find((each) => each.platform === platform && each.tier === tier)?.free ?? 0))

/** True if a paid package has a free seat. Without one, users count as not subscribed (product.md 1.4). */
export const hasFreePaidSeat = (room: readonly SeatAvailability[]): boolean =>
  flexPackages.some((one) => !one.trial && !one.extends && countFreeSeats(one, room) > 0)
