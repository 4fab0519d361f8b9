import { inviteCodeOf } from '#features/account/server/door.ts'
import type { FirstDiscount } from '#features/payments/server/door.ts'
import { plainCode } from '../../words.ts'
import { codeNamed, relationOf } from '../data.ts'
import { ruleNow, ruleOf } from '../rules/rules.ts'

/**
 * Whoever was invited has the discount of the rules that the relation keeps; so has who came with a code a moment ago, of whom the news
 * is still on its way: what the landing promised does not hang on how fast somebody pays.
 */
export const invitedDiscount: FirstDiscount = async (_deps, sql, userId) => {
  const relation = await relationOf(sql, userId)
  if (relation) return (await ruleOf(sql, relation)).discount_nano
  const code = await inviteCodeOf(sql, userId)
  const found = code === null ? undefined : await codeNamed(sql, plainCode(code))
  return found && found.user_id !== userId ? (await ruleNow(sql)).discount_nano : 0n
}
