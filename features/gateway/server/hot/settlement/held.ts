import { minus, times } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { UsageLine } from '../deps.ts'
import { amountOf } from './pricing.ts'

/** Prices are per million. */
const MILLION = 1_000_000

/** The lines of what is known of a call, and one for the rest of what was held for it. */
export function heldLines(known: readonly UsageLine[], held: Nano): UsageLine[] {
  const rest = minus(held, amountOf(known))
  return rest <= 0n ? [...known] : [...known, { kind: 'call', tokens: 1, unitPrice: times(rest, MILLION), amount: rest }]
}
