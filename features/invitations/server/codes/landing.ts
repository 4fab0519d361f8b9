import type { Handler } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { readRechargeTerms } from '#features/payments/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import { normalizeInviteCode } from '../../words.ts'
import { selectCode } from '../data.ts'
import { readCurrentRule } from '../rules/rules.ts'

/** Returns the benefit in figures, without the sender of the code. */
export const landing: Handler<typeof invitationsContract.landing> = async (ctx, { code }) => {
  const found = await selectCode(ctx.db, normalizeInviteCode(code))
  const { discountNano: discount } = await readCurrentRule(ctx.db)
  const { feePercent, min } = await readRechargeTerms(ctx.settings)
  return { valid: found !== undefined, code: found?.code ?? normalizeInviteCode(code), discount: formatUsd(discount), feePercent, min }
}
