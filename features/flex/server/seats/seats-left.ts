import { packages, type Package } from '../../packages.ts'
import type { Room } from './data.ts'

/** Free seats of a package: those of its scarcest platform. An extension adds time to a seat that its user has. */
export const seatsLeft = (one: Package, room: readonly Room[]): number =>
  one.extends ? Infinity : Math.min(...one.seats.map(({ platform, tier }) => room.find((each) => each.platform === platform && each.tier === tier)?.free ?? 0))

/** True if a paid package has a free seat. Without one, users count as not subscribed (product.md 1.4). */
export const isFullBuying = (room: readonly Room[]): boolean => packages.some((one) => !one.trial && !one.extends && seatsLeft(one, room) > 0)
