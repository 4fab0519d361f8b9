import type { FirstDiscount } from '#features/payments/server/door.ts'
import { relationOf } from '../data.ts'
import { ruleOf } from '../rules/rules.ts'

/** Whoever was invited has the discount of the rules that the relation keeps. */
export const invitedDiscount: FirstDiscount = async (_deps, sql, userId) => {
  const relation = await relationOf(sql, userId)
  return relation ? (await ruleOf(sql, relation)).discount_nano : 0n
}
