import type { Handler } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import { rechargeFacts } from '#features/payments/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import { plainCode } from '../../words.ts'
import { codeNamed } from '../data.ts'
import { ruleNow } from '../rules/rules.ts'

/** The benefit in figures; who sent the code stays out of it. */
export const landing: Handler<typeof invitationsContract.landing> = async (ctx, { code }) => {
  const found = await codeNamed(ctx.db, plainCode(code))
  const { discount_nano: discount } = await ruleNow(ctx.db)
  const { feePercent, min } = await rechargeFacts(ctx.settings)
  return { valid: found !== undefined, code: found?.code ?? plainCode(code), discount: usd(discount), feePercent, min }
}
