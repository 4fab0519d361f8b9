import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { minus, parseUsd, usd, wholeCents } from '#platform/shared/money.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { withdrawReward } from '#features/payments/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import { ruleNow } from '../rules/rules.ts'
import { openSum } from './data.ts'

type Asked = InputOf<typeof invitationsContract.withdrawal>

/** All that is available leaves as a withdrawal like any other; the purse takes the entries in the same transaction. */
async function withdraw(ctx: TxCtx, asked: Asked) {
  const tx = ctx.tx // audited by the withdrawal
  const amount = wholeCents(await openSum(tx, ctx.userId))
  if (amount <= 0n) fail('REWARD_NONE')
  if (asked.amount !== undefined && parseUsd(asked.amount) !== amount) fail('REWARD_CHANGED')
  const { withdraw_min_nano: min } = await ruleNow(tx)
  if (amount < min) fail('REWARD_TOO_SMALL', { min: usd(min), missing: usd(minus(min, amount)) })
  return withdrawReward(ctx, tx, amount, asked)
}

export const withdrawRewards: Handler<typeof invitationsContract.withdrawal> = Object.assign(withdraw, {
  before: (ctx: Ctx, { payPassword }: Asked) => requirePayPassword(ctx, ctx.userId, payPassword),
})
