import { authorize, expire, increment, reverse } from '#stand-ins/card-network/authorizations.ts'
import { Refusal } from '#stand-ins/card-network/company.ts'
import type { Company } from '#stand-ins/card-network/company.ts'
import type { NoticeFault } from '#stand-ins/card-network/magic-inputs.ts'
import { deliver } from '#stand-ins/card-network/post.ts'
import { advance } from '#stand-ins/card-network/time.ts'
import { capture, force, refund, reverseCardRefund, unlinkedRefund } from '#stand-ins/card-network/transactions.ts'
import type { CardMerchant } from '../vendors/port.ts'

export interface HistoryOptions {
  /** Company and cards to act on. */
  readonly company: Company
  readonly cards: readonly string[]
  /** Share of notices and decision requests that fail; 0.05 by default. */
  readonly faults?: number
  /** Largest ordinary purchase in cents. */
  readonly mostMinor?: number
  /** Events between deliveries of notices, in any order; 0: never. */
  readonly deliverEvery?: number
  /** Called at intervals: a test loads cards, freezes one, runs its reconciler. */
  readonly between?: (done: number) => Promise<void>
}
export interface HistoryCounts {
  readonly events: number
  readonly byKind: Readonly<Record<string, number>>
  readonly faults: number
}

const MERCHANTS: readonly CardMerchant[] = [
  { name: 'OPENAI *CHATGPT SUBSCR', city: 'SAN FRANCISCO', country: 'US', mcc: '5734' },
  { name: 'NETFLIX.COM', city: 'LOS GATOS', country: 'US', mcc: '4899' },
  { name: 'MIDJOURNEY INC.', city: 'SOUTH SAN FRANCISCO', country: 'US', mcc: '5734' },
  { name: 'JETBRAINS S.R.O.', city: 'PRAGUE', country: 'CZ', mcc: '5734' },
  { name: 'HOTEL ON RIVINGTON', city: 'NEW YORK', country: 'US', mcc: '7011' },
]
const NOTICE_FAULTS: readonly NoticeFault[] = ['slow', 'lost', 'twice', 'out-of-order', 'unsigned']
const HOUR_MS = 3_600_000
/** Number of latest authorisations and transactions that further events may affect. */
const ALIVE = 400

/** Deterministic random numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Runs `n` random events of merchants, schemes and time on cards, determined by the seed. */
export async function randomHistory(seed: number, n: number, options: HistoryOptions): Promise<HistoryCounts> {
  const { company, cards, faults = 0.05, mostMinor = 8_000, deliverEvery = 20, between } = options
  const random = randomOf(seed)
  const world: World = { company, cards, mostMinor, random, authorizations: [], captures: [], refunds: [] }
  const byKind: Record<string, number> = {}
  let planned = 0
  for (let done = 0; done < n; done++) {
    if (random() < faults && !company.plan.notices.length) {
      company.plan.notices.push(pick(random, NOTICE_FAULTS))
      planned++
    }
    if (random() < faults && !company.plan.decisions.length) {
      company.plan.decisions.push(pick(random, ['lost', 'late'] as const))
      planned++
    }
    const kind = drawn(random)
    const happened = await EVENTS[kind](world).catch((error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    })
    const name = happened === false ? `${kind}, refused` : kind
    byKind[name] = (byKind[name] ?? 0) + 1
    if (deliverEvery && done % deliverEvery === deliverEvery - 1) while (await deliver(company, random() < 0.3)) if (random() < 0.1) break
    if (between) await between(done)
  }
  return { events: n, byKind, faults: planned }
}

interface World {
  readonly company: Company
  readonly cards: readonly string[]
  readonly mostMinor: number
  readonly random: () => number
  readonly authorizations: { ref: string; minor: bigint }[]
  readonly captures: { ref: string; minor: bigint }[]
  readonly refunds: string[]
}

const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const sumOf = ({ random, mostMinor }: World) => BigInt(1 + Math.floor(random() * mostMinor))
const partOf = ({ random }: World, minor: bigint) => (minor * BigInt(1 + Math.floor(random() * 99))) / 100n + 1n
const known = <T>({ random }: World, from: T[]): T => {
  if (!from.length) throw new Refusal('nothing_yet')
  return pick(random, from)
}
/** One that still holds money, if there is one among the next few looked at. */
function open(world: World): { ref: string; minor: bigint } {
  for (let looks = 0; looks < 12; looks++) {
    const one = known(world, world.authorizations)
    const found = world.company.store.find('authorization', one.ref)
    if (found?.status === 'pending' && found.heldMinor > 0n) return { ref: one.ref, minor: found.heldMinor }
  }
  return known(world, world.authorizations)
}
/** Mostly one that is open; now and then one that was cleared, expired, declined or reversed before. */
const oneToCapture = (world: World) => (world.random() < 0.9 ? open(world) : known(world, world.authorizations))
function remember<T>(list: T[], one: T): void {
  list.push(one)
  if (list.length > ALIVE) list.shift()
}

async function buy(world: World, extra: { zero?: boolean; partialAllowed?: boolean } = {}): Promise<void> {
  const { company, random, cards } = world
  const minor = extra.zero ? 0n : sumOf(world)
  const merchant = pick(random, MERCHANTS)
  const local = merchant.country === 'US' ? undefined : { minor: minor * 23n, currency: 'CZK' }
  const made = await authorize(company, { card: pick(random, cards), minor, merchant, local, partialAllowed: extra.partialAllowed })
  remember(world.authorizations, { ref: made.ref, minor: made.approved ? made.approvedMinor : minor })
}

const taken = (world: World, made: { ref: string; minor: bigint }) => remember(world.captures, { ref: made.ref, minor: made.minor })

const EVENTS = {
  'authorise': (world: World) => buy(world),
  'verify': (world: World) => buy(world, { zero: true }),
  'partly approved': (world: World) => buy(world, { partialAllowed: true }),
  'increment': async (world: World) => void (await increment(world.company, open(world).ref, sumOf(world))),
  'capture': async (world: World) => {
    const { ref, minor } = oneToCapture(world)
    if (minor) taken(world, capture(world.company, ref, { minor }))
  },
  'capture less': async (world: World) => {
    const { ref, minor } = oneToCapture(world)
    taken(world, capture(world.company, ref, { minor: partOf(world, minor) }))
  },
  'capture above': async (world: World) => {
    const { ref, minor } = oneToCapture(world)
    taken(world, capture(world.company, ref, { minor: minor + partOf(world, minor) }))
  },
  'capture in parts': async (world: World) => {
    const { ref, minor } = oneToCapture(world)
    taken(world, capture(world.company, ref, { minor: partOf(world, minor), more: true }))
  },
  'reverse': async (world: World) => void reverse(world.company, open(world).ref),
  'reverse a part': async (world: World) => {
    const { ref, minor } = open(world)
    reverse(world.company, ref, partOf(world, minor) - 1n)
  },
  'expire': async (world: World) => void expire(world.company, open(world).ref),
  'force': async (world: World) => {
    const { company, random, cards } = world
    taken(world, force(company, { card: pick(random, cards), minor: sumOf(world), merchant: pick(random, MERCHANTS) }))
  },
  'refund': async (world: World) => {
    const { ref } = known(world, world.captures)
    remember(world.refunds, refund(world.company, ref).ref)
  },
  'refund a part': async (world: World) => {
    const { ref, minor } = known(world, world.captures)
    remember(world.refunds, refund(world.company, ref, partOf(world, minor)).ref)
  },
  'unlinked refund': async (world: World) => {
    const { company, random, cards } = world
    remember(world.refunds, unlinkedRefund(company, { card: pick(random, cards), minor: sumOf(world), merchant: pick(random, MERCHANTS) }).ref)
  },
  'reverse a refund': async (world: World) => void reverseCardRefund(world.company, known(world, world.refunds)),
  'time': ({ company, random }: World) => advance(company, Math.floor(random() * 6 * HOUR_MS)),
} as const satisfies Record<string, (world: World) => Promise<unknown>>

/** How often each happens, of a thousand. */
const WEIGHTS: Readonly<Record<keyof typeof EVENTS, number>> = {
  'authorise': 330,
  'verify': 20,
  'partly approved': 30,
  'increment': 60,
  'capture': 150,
  'capture less': 50,
  'capture above': 30,
  'capture in parts': 60,
  'reverse': 70,
  'reverse a part': 30,
  'expire': 30,
  'force': 25,
  'refund': 30,
  'refund a part': 30,
  'unlinked refund': 20,
  'reverse a refund': 15,
  'time': 20,
}

function drawn(random: () => number): keyof typeof EVENTS {
  let at = random() * 1000
  for (const [kind, weight] of Object.entries(WEIGHTS) as [keyof typeof EVENTS, number][]) {
    at -= weight
    if (at < 0) return kind
  }
  return 'authorise'
}
