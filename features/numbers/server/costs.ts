import { z } from 'zod'
import { convertUsd, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Value of a supplier's currency unit in dollars, as decimal text. */
export const rateEnv = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,9})?$/, 'must be dollars for one unit, as 1 or 0.0125')
  .default('1')

/** Converts a supplier's price (number or text, any precision) to dollars, rounded up. Throws for any other input. */
export function parseSupplierCost(price: unknown, rate: string): Nano {
  const text = typeof price === 'number' ? price.toFixed(9) : String(price).trim()
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw new Error('not a price')
  return convertUsd(parseUsd(`${whole}.${part.slice(0, 9) || '0'}`), rate)
}
