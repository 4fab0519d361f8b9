import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { subtractNano, parseUsd, formatUsd, floorToCents } from '#platform/shared/money.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { withdrawReward } from '#features/payments/server/door.ts'
import type { invitationsContract } from '../../contract.ts'
import { readCurrentRule } from '../rules/rules.ts'
import { sumOpenEntries } from './data.ts'

type RewardWithdrawalInput = InputOf<typeof invitationsContract.withdrawal>

/** Withdraws the whole available sum like any other withdrawal; the reward source takes the entries in the same transaction. */
async function withdraw(ctx: TxCtx, asked: RewardWithdrawalInput) {
  const tx = ctx.tx // audited by the withdrawal
  const amount = floorToCents(await sumOpenEntries(tx, ctx.userId))
  if (amount <= 0n) fail('REWARD_NONE')
  if (asked.amount !== undefined && parseUsd(asked.amount) !== amount) fail('REWARD_CHANGED')
  const { withdrawMinNano: min } = await readCurrentRule(tx)
  if (amount < min) fail('REWARD_TOO_SMALL', { min: formatUsd(min), missing: formatUsd(subtractNano(min, amount)) })
  return withdrawReward(ctx, tx, { amount, payee: asked })
}

export const withdrawRewards: Handler<typeof invitationsContract.withdrawal> = Object.assign(withdraw, {
  before: (ctx: Ctx, { payPassword }: RewardWithdrawalInput) => requirePayPassword(ctx, ctx.userId, payPassword),
})
