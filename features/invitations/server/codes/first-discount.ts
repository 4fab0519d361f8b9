import { inviteCodeOf } from '#features/account/server/door.ts'
import type { FirstDiscount } from '#features/payments/server/door.ts'
import { normalizeInviteCode } from '../../words.ts'
import { selectCode, selectRelation } from '../data.ts'
import { readCurrentRule, readRelationRule } from '../rules/rules.ts'

/**
 * Discount for an invited user, from the rules version of the relation. A user whose sign-up event is not processed yet gets it too, so that
 * the promise of the landing page does not depend on how fast the user pays.
 */
export const findInvitedDiscount: FirstDiscount = async (_deps, sql, userId) => {
  const relation = await selectRelation(sql, userId)
  if (relation) return (await readRelationRule(sql, relation)).discountNano
  const code = await inviteCodeOf(sql, userId)
  const found = code === null ? undefined : await selectCode(sql, normalizeInviteCode(code))
  return found && found.userId !== userId ? (await readCurrentRule(sql)).discountNano : 0n
}
