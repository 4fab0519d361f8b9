import { divideUp, minNano, subtractNano, addNano, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Amount that all processes together may estimate for an unknown account before an estimate is compared with the vendor's figure. */
const INITIAL_CREDIT: Nano = 2_000_000n
/** Maximum that they may estimate between two comparisons. */
const MAX_CREDIT: Nano = 20_000_000n
/** Credit earned by an accurate estimate, as a multiple of it. */
const EARNED_FACTOR = 4
/** Share of estimable calls that is read to the end anyway, chosen at random. */
const CHECKED_SHARE = 1 / 5
const MAX_ACCOUNTS = 20_000

interface AccountTrust {
  credit: Nano
  /** An estimate was too low once: this account's calls are read to their end. */
  short: boolean
}

/** Accuracy of past estimates for each account's calls. Kept in memory; that an estimate was too low is durable (`HotDeps.noteShort`). */
export interface Trust {
  readonly accounts: Map<bigint, AccountTrust>
  /** A number from 0 to 1. */
  readonly random: () => number
  /** Number of processes that an account's calls may reach, each unaware of the others' estimates. */
  readonly nodes: () => number
}

export function createTrust(random: () => number = Math.random, nodes: () => number = () => 1): Trust {
  return { accounts: new Map(), random, nodes }
}

/** guess: leave the vendor and charge the estimate. check: read on and compare. read: read on, estimates do not fit this account. */
export type EstimateChoice = 'guess' | 'check' | 'read'

/** Decides about a call that could be estimated at `amount`: estimate if the account's credit covers it, else read to the end. */
export function chooseEstimate(trust: Trust, accountId: bigint, amount: Nano): EstimateChoice {
  const standing = getAccountTrust(trust, accountId)
  if (standing.short) return 'read'
  if (amount > standing.credit || trust.random() < CHECKED_SHARE) return 'check'
  standing.credit = subtractNano(standing.credit, amount)
  return 'guess'
}

/** Records a comparison: an accurate estimate earns credit, one that fell short ends estimates for this account. */
export function recordEstimate(trust: Trust, accountId: bigint, estimated: Nano, billed: Nano): 'held' | 'short' {
  const standing = getAccountTrust(trust, accountId)
  if (billed > estimated) {
    standing.short = true
    return 'short'
  }
  standing.credit = minNano(divideByNodes(trust, MAX_CREDIT), addNano(standing.credit, multiplyNano(estimated, EARNED_FACTOR)))
  return 'held'
}

const divideByNodes = (trust: Trust, amount: Nano): Nano => divideUp(amount, BigInt(trust.nodes()))

function getAccountTrust(trust: Trust, accountId: bigint): AccountTrust {
  const known = trust.accounts.get(accountId)
  if (known !== undefined) return known
  if (trust.accounts.size >= MAX_ACCOUNTS) trust.accounts.delete(trust.accounts.keys().next().value!)
  const standing = { credit: divideByNodes(trust, INITIAL_CREDIT), short: false }
  trust.accounts.set(accountId, standing)
  return standing
}
