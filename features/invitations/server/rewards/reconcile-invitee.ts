import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { selectCash } from '#features/payments/server/door.ts'
import type { Cash } from '#features/payments/server/door.ts'
import { lockInviter, lockRelation, selectRelation } from '../data.ts'
import type { RelationRow, RuleRow } from '../data.ts'
import type { RewardKind } from '../../words.ts'
import { mailInviter } from '../mails.ts'
import { selectCurrentRate } from '../rates/data.ts'
import { readRelationRule } from '../rules/rules.ts'
import { computeCashback, computeDirectReward, buildNegotiatedReward, computeSecondReward } from './amounts.ts'
import type { RewardAmount } from './amounts.ts'
import { assessReward } from './assess.ts'
import { clawBackReward, releaseBudget, PROGRAMME_SCOPE, restoreReward, formatInviterScope } from './book.ts'
import { countQuarter, insertReward, selectBudgetMonth, moveReward, selectOpenReview, returnBudget, selectRewardsByInvitee, takeBudget } from './data.ts'
import type { RewardRow } from './data.ts'
import { holdForReview } from './hold-for-review.ts'

/** States in which a reward depends on the invitee's cash. */
const LIVE_STATES: readonly string[] = ['pending', 'held', 'available', 'paid']

/**
 * Brings an invitee's rewards in line with the current cash; idempotent, whatever the order of the reports. Cash that reaches the threshold
 * adds a reward, cash below it claws the reward back, and cash above it again restores it once.
 */
export async function reconcileInvitee(deps: Deps, inviteeId: string): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const relation = await lockRelation(tx, inviteeId)
    if (!relation) return
    const cash = await selectCash(tx, inviteeId)
    const rule = await readRelationRule(tx, relation)
    const rewards = await selectRewardsByInvitee(tx, inviteeId)
    const qualifies = cash.net >= rule.thresholdNano
    if (qualifies && !rewards.length && cash.orderNo !== null) await grantAll(deps, tx, { relation, rule, cash })
    for (const reward of rewards) {
      const stands = qualifies && (reward.kind !== 'cashback' || isMostlyPaid(cash.net, reward.baseNano))
      if (!stands && LIVE_STATES.includes(reward.state)) await clawBackReward(deps, tx, reward)
      if (stands && reward.state === 'clawed_back' && !reward.restored) await restoreReward(tx, reward, rule.holdDays)
    }
    crashPoint('invitations.reconcile-before-commit')
  })
  crashPoint('invitations.reconcile-after-commit')
}

/** A percentage reward is kept while nine tenths of its payment remain. */
const isMostlyPaid = (net: bigint, base: bigint): boolean => net * 10n >= base * 9n

async function grantAll(
  deps: Deps,
  tx: Tx,
  { relation, rule, cash }: { readonly relation: RelationRow; readonly rule: RuleRow; readonly cash: Cash },
): Promise<void> {
  const { inviterId } = relation
  await lockInviter(tx, inviterId)
  await tx.audit('invitation.qualified', `user:${relation.inviteeId}`, { cash: formatUsd(cash.net), rule: rule.version })
  const own = await selectCurrentRate(tx, inviterId)
  const direct = own ? buildNegotiatedReward(own.rewardNano) : computeDirectReward(rule, (await countQuarter(tx, inviterId)) + 1)
  const wanted: [RewardKind, string | undefined, RewardAmount | undefined][] = [
    ['direct', inviterId, direct],
    ['cashback', inviterId, computeCashback(rule, cash.orderAmount ?? 0n)],
    ['second', (await selectRelation(tx, inviterId))?.inviterId, computeSecondReward(rule)],
  ]
  for (const [kind, to, worth] of wanted)
    if (worth && to !== undefined && to !== relation.inviteeId) await grant(deps, tx, { context: { relation, rule, cash }, kind, to, worth })
}

interface GrantContext {
  readonly relation: RelationRow
  readonly rule: RuleRow
  readonly cash: Cash
}

async function grant(
  deps: Deps,
  tx: Tx,
  {
    context: { relation, rule, cash },
    kind,
    to,
    worth,
  }: { readonly context: GrantContext; readonly kind: RewardKind; readonly to: string; readonly worth: RewardAmount },
): Promise<void> {
  const full = await reserveBudgets(tx, to, { amount: worth.amount, rule })
  const reward = await insertReward(tx, {
    kind,
    inviterId: to,
    inviteeId: relation.inviteeId,
    orderNo: cash.orderNo!,
    base: cash.orderAmount!,
    ruleVersion: rule.version,
    rate: worth.rate,
    amount: worth.amount,
    state: full ? 'refused' : 'pending',
    reason: full ?? '',
    holdDays: rule.holdDays,
  })
  if (!reward) throw new Error(`invitee ${relation.inviteeId} brought ${kind} already`)
  if (full) return
  const kept = await applySignals(deps, tx, { reward, relation })
  await tx.emit('invitation.rewarded', { rewardId: String(reward.id), userId: to, state: kept.state })
  if (kept.state !== 'refused') await mailInviter(deps, tx, { reward: kept, event: 'rewarded' })
}

/** Holds, refuses or keeps a reward, by its signals and any open review. */
async function applySignals(deps: Deps, tx: Tx, { reward, relation }: { readonly reward: RewardRow; readonly relation: RelationRow }): Promise<RewardRow> {
  const { score, verdict } = await assessReward(deps, tx, { reward, relation, isLate: false })
  if (verdict === 'refuse') return refuseReward(tx, reward, score)
  if (verdict === 'hold' || (await selectOpenReview(tx, reward.inviterId))) return holdForReview(deps, tx, { reward, score })
  return reward
}

/** Refuses a reward: returns its budget of the month and keeps its row and signals. */
export async function refuseReward(tx: Tx, reward: RewardRow, score: number): Promise<RewardRow> {
  const refused = await moveReward(tx, reward, { to: 'refused', more: { reason: 'signals', score } })
  if (!refused) return reward
  await releaseBudget(tx, refused)
  return refused
}

/** Takes the reward's amount from both budgets of the month; returns the budget that is used up, if any. */
async function reserveBudgets(
  tx: Tx,
  inviterId: string,
  { amount, rule }: { readonly amount: bigint; readonly rule: RuleRow },
): Promise<'inviter_cap' | 'programme_cap' | undefined> {
  if (!(await takeBudget(tx, formatInviterScope(inviterId), { amount, cap: rule.inviterCapNano }))) return 'inviter_cap'
  if (await takeBudget(tx, PROGRAMME_SCOPE, { amount, cap: rule.programmeCapNano })) return undefined
  await returnBudget(tx, formatInviterScope(inviterId), { month: await selectBudgetMonth(tx), amount })
  return 'programme_cap'
}
