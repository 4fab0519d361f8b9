/** Numbers on the wire (product.md 2.3). */
export const PLATFORM = { CHATGPT: 1, CLAUDE: 2, COMMON: 3, SORA: 6 } as const
export type PlatformId = (typeof PLATFORM)[keyof typeof PLATFORM]
export const PLATFORMS: readonly PlatformId[] = [1, 2, 3, 6]
export const USE_STATUS = { NOT_APPLIED: 0, IN_USE: 1, EXPIRED: 2 } as const

export type FlexService = 'chatgpt' | 'chatgptVoice' | 'claude' | 'sora'
export type SeatTier = 'plus' | 'max' | 'o1' | 'token' | 'tokenPro'
export type TabKey = 'chatgpt' | 'claude' | 'combined' | 'sora'

/** A seat that a package needs, and its message limit per three hours. */
export interface PackageSeat {
  readonly platform: 1 | 2 | 6
  readonly tier: SeatTier
  readonly messages: readonly [least: number, most: number]
}

export interface FlexPackage {
  readonly id: number
  readonly tabKey: TabKey
  readonly path: string
  readonly trial: boolean
  readonly period: 0 | 1 | 2
  readonly days: number
  readonly services: readonly FlexService[]
  readonly seats: readonly PackageSeat[]
  /** Dollars, unless overridden by the price book. */
  readonly price: string
  /** Packages of which it extends one by its days. */
  readonly extends?: readonly number[]
}

const gptSeat = (tier: SeatTier = 'plus', messages: PackageSeat['messages'] = [20, 30]): PackageSeat => ({ platform: 1, tier, messages })
const claudeSeat = (tier: SeatTier = 'plus', messages: PackageSeat['messages'] = [20, 30]): PackageSeat => ({ platform: 2, tier, messages })
const SORA_SEAT: PackageSeat = { platform: 6, tier: 'plus', messages: [20, 30] }
const MAX_SEAT: PackageSeat['messages'] = [100, 100]
const [DAY, MONTH, QUARTER, EXTENSION] = [1, 30, 90, 10]

const chatPackage = (
  id: number,
  price: string,
  { period, seat, more = {} }: { readonly period: 0 | 1 | 2; readonly seat: PackageSeat; readonly more?: Partial<FlexPackage> },
): FlexPackage => ({
  ...{ id, price, period, trial: false, tabKey: 'chatgpt', path: '/chatgpt', seats: [seat] },
  days: [DAY, MONTH, QUARTER][period]!,
  services: seat.tier === 'token' ? ['chatgpt'] : ['chatgpt', 'chatgptVoice'],
  ...more,
})
const claudePackage = (
  id: number,
  price: string,
  { period, seat, more = {} }: { readonly period: 0 | 1 | 2; readonly seat: PackageSeat; readonly more?: Partial<FlexPackage> },
): FlexPackage => chatPackage(id, price, { period, seat, more: { tabKey: 'claude', path: '/claude', services: ['claude'], ...more } })
const combinedPackage = (id: number, price: string, seats: readonly PackageSeat[]): FlexPackage =>
  chatPackage(id, price, { period: 1, seat: seats[0]!, more: { tabKey: 'combined', path: '/chatgpt', seats, services: ['chatgpt', 'chatgptVoice', 'claude'] } })
const soraPackage = (id: number, price: string, { period, more = {} }: { readonly period: 0 | 1 | 2; readonly more?: Partial<FlexPackage> }): FlexPackage =>
  chatPackage(id, price, { period, seat: SORA_SEAT, more: { tabKey: 'sora', path: '/sora', services: ['sora'], ...more } })

/** All packages for sale, one line each. */
export const flexPackages: readonly FlexPackage[] = [
  chatPackage(1, '0', { period: 0, seat: gptSeat(), more: { trial: true } }),
  chatPackage(2, '9.90', { period: 1, seat: gptSeat() }),
  chatPackage(3, '29.90', { period: 1, seat: gptSeat('max', MAX_SEAT) }),
  claudePackage(4, '0', { period: 0, seat: claudeSeat(), more: { trial: true } }),
  claudePackage(5, '9.90', { period: 1, seat: claudeSeat() }),
  claudePackage(6, '29.90', { period: 1, seat: claudeSeat('max', MAX_SEAT) }),
  combinedPackage(7, '16.90', [gptSeat(), claudeSeat()]),
  combinedPackage(8, '49.90', [gptSeat('max', MAX_SEAT), claudeSeat('max', MAX_SEAT)]),
  chatPackage(9, '0.99', { period: 0, seat: gptSeat() }),
  claudePackage(10, '0.99', { period: 0, seat: claudeSeat() }),
  chatPackage(11, '14.90', { period: 1, seat: gptSeat('o1') }),
  chatPackage(12, '1.49', { period: 0, seat: gptSeat('token') }),
  claudePackage(20, '12.90', { period: 1, seat: claudeSeat('token') }),
  claudePackage(21, '39.90', { period: 1, seat: claudeSeat('tokenPro', MAX_SEAT) }),
  claudePackage(22, '34.90', { period: 2, seat: claudeSeat('token') }),
  claudePackage(23, '107.90', { period: 2, seat: claudeSeat('tokenPro', MAX_SEAT) }),
  claudePackage(24, '4.90', { period: 0, seat: claudeSeat('token'), more: { days: EXTENSION, extends: [20, 22] } }),
  chatPackage(30, '12.90', { period: 1, seat: gptSeat('token') }),
  chatPackage(32, '34.90', { period: 2, seat: gptSeat('token') }),
  chatPackage(34, '4.90', { period: 0, seat: gptSeat('token'), more: { days: EXTENSION, extends: [12, 30, 32] } }),
  soraPackage(40, '1.49', { period: 0 }),
  soraPackage(41, '14.90', { period: 1 }),
  soraPackage(42, '39.90', { period: 2 }),
  soraPackage(43, '4.90', { period: 0, more: { days: EXTENSION, extends: [40, 41, 42] } }),
]

const byId = new Map(flexPackages.map((one) => [one.id, one]))
export const findFlexPackage = (id: number): FlexPackage | undefined => byId.get(id)

/** Platforms on which a package is used; a combined package also counts as its own platform. */
export function listPackagePlatforms({ seats, tabKey }: Pick<FlexPackage, 'seats' | 'tabKey'>): readonly PlatformId[] {
  return [...seats.map(({ platform }) => platform), ...(tabKey === 'combined' ? [PLATFORM.COMMON] : [])]
}

/** True if buying `bought` prolongs a subscription of kind `used`: the same package again, or an extension of it. */
export const isPackageRenewal = (bought: FlexPackage, used: number): boolean => bought.id === used || (bought.extends?.includes(used) ?? false)

/** The extension of a package, if there is one. */
export const findPackageExtension = (used: number): FlexPackage | undefined => flexPackages.find(({ extends: kinds }) => kinds?.includes(used))
