import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { selectAccountsSharing, countEventWithin, hasMark, toNetworkBlock } from '#features/risk/server/door.ts'
import { settleDebts, roundDebtUp } from '#features/wallet/server/door.ts'
import { trialLimits } from '../kit/settings.ts'
import { lockTrials, hasTriedAmong } from './data.ts'

const DAY_SECONDS = 86_400
/** Marks that link accounts of one person or one browser. */
const ONE_PERSON = ['payer', 'person', 'mailbox', 'payout', 'device'] as const

/**
 * Refuses a free trial to accounts that may not have one. The account must have paid once or passed the identity check and owe nothing; no
 * other account with the same payer, papers, payout account, mailbox or browser may have had it; and its network (IPv4 /24, IPv6 /48) must
 * be below its daily share. An account that shares a mark with too many others to check counts as one that had it. This keeps scripts that create accounts out, and one network from using up the pool. Call it in the transaction
 * that begins the trial, before it begins. Errors: SERVICE_TRIAL_DEBT, SERVICE_TRIAL_UNPAID, SERVICE_TRIAL_HAD, SERVICE_TRIAL_NETWORK.
 */
export async function admitTrial(ctx: Ctx, tx: Tx, trial: { readonly service: string; readonly product: string }): Promise<void> {
  const { userId } = ctx
  const limits = await ctx.settings.get(trialLimits)
  // Serialized: otherwise two accounts of one person would each find that the other had none
  await lockTrials(tx)
  const owed = await settleDebts(tx, userId)
  if (owed > 0n) fail('SERVICE_TRIAL_DEBT', { owed: formatUsd(roundDebtUp(owed)) })
  if (limits.needsPayer && !(await hasMark(tx, userId, ['payer', 'person']))) fail('SERVICE_TRIAL_UNPAID')
  const others = await selectAccountsSharing(tx, userId, ONE_PERSON)
  if (others === 'crowd' || (others.length && (await hasTriedAmong(tx, others, trial)))) fail('SERVICE_TRIAL_HAD')
  const network = toNetworkBlock(ctx.ip)
  if (network === undefined) return
  const { allowed } = await countEventWithin(tx, 'services.trials', {
    subject: network,
    limit: limits.perNetworkDay,
    windowSeconds: DAY_SECONDS,
    now: ctx.clock.now(),
  })
  if (!allowed) fail('SERVICE_TRIAL_NETWORK')
}
