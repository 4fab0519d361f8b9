import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { usd } from '#platform/shared/money.ts'
import { cashOf } from '#features/payments/server/door.ts'
import type { Cash } from '#features/payments/server/door.ts'
import { lockInviter, lockRelation, relationOf } from '../data.ts'
import type { RelationRow, RuleRow } from '../data.ts'
import type { RewardKind } from '../../words.ts'
import { tellInviter } from '../mails.ts'
import { rateOf } from '../rates/data.ts'
import { ruleOf } from '../rules/rules.ts'
import { cashbackWorth, directWorth, negotiatedWorth, secondWorth } from './amounts.ts'
import type { Worth } from './amounts.ts'
import { assess } from './assess.ts'
import { clawBack, freeBudget, PROGRAMME, restore, scopeOf } from './book.ts'
import { countQuarter, insertReward, monthNow, moveReward, openReview, returnBudget, rewardsFrom, takeBudget } from './data.ts'
import type { RewardRow } from './data.ts'
import { holdForReview } from './hold-for-review.ts'

/** States in which a reward rests on the invitee's cash. */
const LIVE: readonly string[] = ['pending', 'held', 'available', 'paid']

/**
 * Brings an invitee's rewards in line with the cash that is there now: whatever was reported, in whatever order, once or many times.
 * Who reaches the threshold brings a reward; who falls below it takes it back; who is above it again restores it once.
 */
export async function reconcileInvitee(deps: Deps, inviteeId: string): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const relation = await lockRelation(tx, inviteeId)
    if (!relation) return
    const cash = await cashOf(tx, inviteeId)
    const rule = await ruleOf(tx, relation)
    const rewards = await rewardsFrom(tx, inviteeId)
    const qualifies = cash.net >= rule.threshold_nano
    if (qualifies && !rewards.length && cash.orderNo !== null) await grantAll(deps, tx, relation, rule, cash)
    for (const reward of rewards) {
      const stands = qualifies && (reward.kind !== 'cashback' || isMostlyThere(cash.net, reward.base_nano))
      if (!stands && LIVE.includes(reward.state)) await clawBack(deps, tx, reward)
      if (stands && reward.state === 'clawed_back' && !reward.restored) await restore(tx, reward, rule.hold_days)
    }
    crashPoint('invitations.reconcile-before-commit')
  })
  crashPoint('invitations.reconcile-after-commit')
}

/** A share of a payment stands while nine tenths of it are there. */
const isMostlyThere = (net: bigint, base: bigint): boolean => net * 10n >= base * 9n

async function grantAll(deps: Deps, tx: Tx, relation: RelationRow, rule: RuleRow, cash: Cash): Promise<void> {
  const { inviter_id: inviterId } = relation
  await lockInviter(tx, inviterId)
  await tx.audit('invitation.qualified', `user:${relation.invitee_id}`, { cash: usd(cash.net), rule: rule.version })
  const own = await rateOf(tx, inviterId)
  const direct = own ? negotiatedWorth(own.reward_nano) : directWorth(rule, (await countQuarter(tx, inviterId)) + 1)
  const wanted: [RewardKind, string | undefined, Worth | undefined][] = [
    ['direct', inviterId, direct],
    ['cashback', inviterId, cashbackWorth(rule, cash.orderAmount ?? 0n)],
    ['second', (await relationOf(tx, inviterId))?.inviter_id, secondWorth(rule)],
  ]
  for (const [kind, to, worth] of wanted)
    if (worth && to !== undefined && to !== relation.invitee_id) await grant(deps, tx, { relation, rule, cash }, { kind, to, worth })
}

interface Ground {
  readonly relation: RelationRow
  readonly rule: RuleRow
  readonly cash: Cash
}

async function grant(deps: Deps, tx: Tx, { relation, rule, cash }: Ground, { kind, to, worth }: { kind: RewardKind; to: string; worth: Worth }): Promise<void> {
  const full = await reserve(tx, to, worth.amount, rule)
  const reward = await insertReward(tx, {
    kind,
    inviterId: to,
    inviteeId: relation.invitee_id,
    orderNo: cash.orderNo!,
    base: cash.orderAmount!,
    ruleVersion: rule.version,
    rate: worth.rate,
    amount: worth.amount,
    state: full ? 'refused' : 'pending',
    reason: full ?? '',
    holdDays: rule.hold_days,
  })
  if (!reward) throw new Error(`invitee ${relation.invitee_id} brought ${kind} already`)
  if (full) return
  const kept = await decide(deps, tx, reward, relation)
  await tx.emit('invitation.rewarded', { rewardId: String(reward.id), userId: to, state: kept.state })
  if (kept.state !== 'refused') await tellInviter(deps, tx, kept, 'rewarded')
}

/** Signals, and the review that may be open, decide where it waits. */
async function decide(deps: Deps, tx: Tx, reward: RewardRow, relation: RelationRow): Promise<RewardRow> {
  const { score, verdict } = await assess(deps, tx, reward, relation, false)
  if (verdict === 'refuse') return refuse(tx, reward, score)
  if (verdict === 'hold' || (await openReview(tx, reward.inviter_id))) return holdForReview(deps, tx, reward, score)
  return reward
}

/** It comes to nothing: its place in the month is free again, its row and its signals stay. */
export async function refuse(tx: Tx, reward: RewardRow, score: number): Promise<RewardRow> {
  const refused = await moveReward(tx, reward, 'refused', { reason: 'signals', score })
  if (!refused) return reward
  await freeBudget(tx, refused)
  return refused
}

/** Takes the reward's place in both budgets of the month; names the one that is full. */
async function reserve(tx: Tx, inviterId: string, amount: bigint, rule: RuleRow): Promise<'inviter_cap' | 'programme_cap' | undefined> {
  if (!(await takeBudget(tx, scopeOf(inviterId), amount, rule.inviter_cap_nano))) return 'inviter_cap'
  if (await takeBudget(tx, PROGRAMME, amount, rule.programme_cap_nano)) return undefined
  await returnBudget(tx, scopeOf(inviterId), await monthNow(tx), amount)
  return 'programme_cap'
}
