import { divideUp, least, minus, plus, times } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Amount that all processes together may estimate for an unknown account before an estimate is compared with the vendor's figure. */
const START: Nano = 2_000_000n
/** Maximum that they may estimate between two comparisons. */
const MOST: Nano = 20_000_000n
/** Credit earned by an accurate estimate, as a multiple of it. */
const EARNED = 4
/** Share of estimable calls that is read to the end anyway, chosen at random. */
const CHECKED = 1 / 5
const ACCOUNTS = 20_000

interface Standing {
  credit: Nano
  /** An estimate fell short once: this account's calls are read to their end. */
  short: boolean
}

/** How well estimates have fitted each account's calls. In memory; that one fell short is durable (`HotDeps.noteShort`). */
export interface Trust {
  readonly accounts: Map<bigint, Standing>
  /** A number from 0 to 1. */
  readonly random: () => number
  /** Number of processes that an account's calls may reach, each unaware of the others' estimates. */
  readonly nodes: () => number
}

export function createTrust(random: () => number = Math.random, nodes: () => number = () => 1): Trust {
  return { accounts: new Map(), random, nodes }
}

/** guess: leave the vendor and charge the estimate. check: read on and compare. read: read on, estimates do not fit this account. */
export type Choice = 'guess' | 'check' | 'read'

/** Decides about a call that could be estimated at `amount`: estimate if the account's credit covers it, else read to the end. */
export function choose(trust: Trust, accountId: bigint, amount: Nano): Choice {
  const standing = standingOf(trust, accountId)
  if (standing.short) return 'read'
  if (amount > standing.credit || trust.random() < CHECKED) return 'check'
  standing.credit = minus(standing.credit, amount)
  return 'guess'
}

/** Records a comparison: an accurate estimate earns credit, one that fell short ends estimates for this account. */
export function judge(trust: Trust, accountId: bigint, estimated: Nano, billed: Nano): 'held' | 'short' {
  const standing = standingOf(trust, accountId)
  if (billed > estimated) {
    standing.short = true
    return 'short'
  }
  standing.credit = least(partOf(trust, MOST), plus(standing.credit, times(estimated, EARNED)))
  return 'held'
}

const partOf = (trust: Trust, amount: Nano): Nano => divideUp(amount, BigInt(trust.nodes()))

function standingOf(trust: Trust, accountId: bigint): Standing {
  const known = trust.accounts.get(accountId)
  if (known !== undefined) return known
  if (trust.accounts.size >= ACCOUNTS) trust.accounts.delete(trust.accounts.keys().next().value!)
  const standing = { credit: partOf(trust, START), short: false }
  trust.accounts.set(accountId, standing)
  return standing
}
