import { inviteCodeOf } from '#features/account/server/door.ts'
import type { FirstDiscount } from '#features/payments/server/door.ts'
import { plainCode } from '../../words.ts'
import { codeNamed, relationOf } from '../data.ts'
import { ruleNow, ruleOf } from '../rules/rules.ts'

/**
 * Discount for an invited user, from the rules version of the relation. A user whose sign-up event is not processed yet gets it too, so that
 * the promise of the landing page does not depend on how fast the user pays.
 */
export const invitedDiscount: FirstDiscount = async (_deps, sql, userId) => {
  const relation = await relationOf(sql, userId)
  if (relation) return (await ruleOf(sql, relation)).discount_nano
  const code = await inviteCodeOf(sql, userId)
  const found = code === null ? undefined : await codeNamed(sql, plainCode(code))
  return found && found.user_id !== userId ? (await ruleNow(sql)).discount_nano : 0n
}
