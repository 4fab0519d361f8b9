import { z } from 'zod'
import { convertUsd, parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** A supplier's unit of money in dollars, as decimal text. */
export const rateEnv = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,9})?$/, 'must be dollars for one unit, as 1 or 0.0125')
  .default('1')

/** A price as suppliers write it (number or text, any places) in dollars, rounded up. Throws on anything else. */
export function parseSupplierCost(price: unknown, rate: string): Nano {
  const text = typeof price === 'number' ? price.toFixed(9) : String(price).trim()
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) throw new Error('not a price')
  return convertUsd(parseUsd(`${whole}.${part.slice(0, 9) || '0'}`), rate)
}
