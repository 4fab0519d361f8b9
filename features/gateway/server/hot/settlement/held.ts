import { subtractNano, multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { UsageLine } from '../deps.ts'
import { sumUsageLines } from './pricing.ts'

/** Prices are per million. */
const MILLION = 1_000_000

/** Itemized lines of the known part of a call, and one for the rest of the held amount. */
export function buildHeldLines(known: readonly UsageLine[], held: Nano): UsageLine[] {
  const rest = subtractNano(held, sumUsageLines(known))
  return rest <= 0n ? [...known] : [...known, { kind: 'call', tokens: 1, unitPrice: multiplyNano(rest, MILLION), amount: rest }]
}
