/** Numbers on the wire (product.md 2.3). */
export const PLATFORM = { CHATGPT: 1, CLAUDE: 2, COMMON: 3, SORA: 6 } as const
export type PlatformId = (typeof PLATFORM)[keyof typeof PLATFORM]
export const PLATFORMS: readonly PlatformId[] = [1, 2, 3, 6]
export const USE_STATUS = { NOT_APPLIED: 0, IN_USE: 1, EXPIRED: 2 } as const

export type FlexService = 'chatgpt' | 'chatgptVoice' | 'claude' | 'sora'
export type Tier = 'plus' | 'max' | 'o1' | 'token' | 'tokenPro'
export type TabKey = 'chatgpt' | 'claude' | 'combined' | 'sora'

/** One seat that a package needs, and the messages that it allows in three hours. */
export interface Seat {
  readonly platform: 1 | 2 | 6
  readonly tier: Tier
  readonly messages: readonly [least: number, most: number]
}

export interface Package {
  readonly id: number
  readonly tabKey: TabKey
  readonly path: string
  readonly trial: boolean
  readonly period: 0 | 1 | 2
  readonly days: number
  readonly services: readonly FlexService[]
  readonly seats: readonly Seat[]
  /** Dollars, unless the price book says otherwise. */
  readonly price: string
  /** Adds its days to one of these. */
  readonly extends?: readonly number[]
}

const gpt = (tier: Tier = 'plus', messages: Seat['messages'] = [20, 30]): Seat => ({ platform: 1, tier, messages })
const claude = (tier: Tier = 'plus', messages: Seat['messages'] = [20, 30]): Seat => ({ platform: 2, tier, messages })
const sora: Seat = { platform: 6, tier: 'plus', messages: [20, 30] }
const MAX: Seat['messages'] = [100, 100]
const [DAY, MONTH, QUARTER, EXTENSION] = [1, 30, 90, 10]

const chat = (id: number, price: string, period: 0 | 1 | 2, seat: Seat, more: Partial<Package> = {}): Package => ({
  ...{ id, price, period, trial: false, tabKey: 'chatgpt', path: '/chatgpt', seats: [seat] },
  days: [DAY, MONTH, QUARTER][period]!,
  services: seat.tier === 'token' ? ['chatgpt'] : ['chatgpt', 'chatgptVoice'],
  ...more,
})
const anthropic = (id: number, price: string, period: 0 | 1 | 2, seat: Seat, more: Partial<Package> = {}): Package =>
  chat(id, price, period, seat, { tabKey: 'claude', path: '/claude', services: ['claude'], ...more })
const both = (id: number, price: string, seats: readonly Seat[]): Package =>
  chat(id, price, 1, seats[0]!, { tabKey: 'combined', path: '/chatgpt', seats, services: ['chatgpt', 'chatgptVoice', 'claude'] })
const film = (id: number, price: string, period: 0 | 1 | 2, more: Partial<Package> = {}): Package =>
  chat(id, price, period, sora, { tabKey: 'sora', path: '/sora', services: ['sora'], ...more })

/** All that is sold. A package is a line here. */
export const packages: readonly Package[] = [
  chat(1, '0', 0, gpt(), { trial: true }),
  chat(2, '9.90', 1, gpt()),
  chat(3, '29.90', 1, gpt('max', MAX)),
  anthropic(4, '0', 0, claude(), { trial: true }),
  anthropic(5, '9.90', 1, claude()),
  anthropic(6, '29.90', 1, claude('max', MAX)),
  both(7, '16.90', [gpt(), claude()]),
  both(8, '49.90', [gpt('max', MAX), claude('max', MAX)]),
  chat(9, '0.99', 0, gpt()),
  anthropic(10, '0.99', 0, claude()),
  chat(11, '14.90', 1, gpt('o1')),
  chat(12, '1.49', 0, gpt('token')),
  anthropic(20, '12.90', 1, claude('token')),
  anthropic(21, '39.90', 1, claude('tokenPro', MAX)),
  anthropic(22, '34.90', 2, claude('token')),
  anthropic(23, '107.90', 2, claude('tokenPro', MAX)),
  anthropic(24, '4.90', 0, claude('token'), { days: EXTENSION, extends: [20, 22] }),
  chat(30, '12.90', 1, gpt('token')),
  chat(32, '34.90', 2, gpt('token')),
  chat(34, '4.90', 0, gpt('token'), { days: EXTENSION, extends: [12, 30, 32] }),
  film(40, '1.49', 0),
  film(41, '14.90', 1),
  film(42, '39.90', 2),
  film(43, '4.90', 0, { days: EXTENSION, extends: [40, 41, 42] }),
]

const byId = new Map(packages.map((one) => [one.id, one]))
export const packageOf = (id: number): Package | undefined => byId.get(id)

/** The platforms that it is used on; a combined one has a line of its own, too. */
export function platformsOf({ seats, tabKey }: Pick<Package, 'seats' | 'tabKey'>): readonly PlatformId[] {
  return [...seats.map(({ platform }) => platform), ...(tabKey === 'combined' ? [PLATFORM.COMMON] : [])]
}

/** True if buying `bought` prolongs a subscription of kind `used`: the same package again, or an extension of it. */
export const renews = (bought: Package, used: number): boolean => bought.id === used || (bought.extends?.includes(used) ?? false)

/** The extension of a package, if there is one. */
export const extensionOf = (used: number): Package | undefined => packages.find(({ extends: kinds }) => kinds?.includes(used))
