import type { Tx } from '#platform/server/database/transact.ts'
import { minus } from '#platform/shared/money.ts'
import { post, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { lockInviter } from '../data.ts'
import { entriesOf, insertEntry, moveReward, retakeBudget, returnBudget } from './data.ts'
import type { RewardRow } from './data.ts'
import { tellInviter } from '../mails.ts'
import type { Deps } from '#platform/server/feature.ts'

/** Postings of rewards, each with its entry: the reward account is the sum of the entries without a payout. */

export const PROGRAMME = 'programme'
export const scopeOf = (inviterId: string) => `user:${inviterId}`

/** Ends the waiting period: the reward becomes available to the inviter. */
export async function earn(tx: Tx, reward: RewardRow, score: number): Promise<void> {
  await lockInviter(tx, reward.inviter_id)
  const moved = await moveReward(tx, reward, 'available', { score })
  if (moved) await enter(tx, moved, 'earned')
}

/** Claws back a reward whose payment was refunded. An earned amount is taken back, if necessary from later rewards. */
export async function clawBack(deps: Deps, tx: Tx, reward: RewardRow): Promise<void> {
  await lockInviter(tx, reward.inviter_id)
  const moved = await moveReward(tx, reward, 'clawed_back', { reason: 'refund' })
  if (!moved) return
  if (reward.state === 'available' || reward.state === 'paid') await enter(tx, moved, 'clawed_back')
  await freeBudget(tx, moved)
  await tx.audit('invitation.clawed_back', `reward:${reward.id}`, { from: reward.state })
  await tx.emit('invitation.clawed_back', { rewardId: String(reward.id), userId: reward.inviter_id })
  await tellInviter(deps, tx, moved, 'back')
}

/** Restores a reward once, after its payment came back: a dispute was won, or the user paid again. */
export async function restore(tx: Tx, reward: RewardRow, holdDays: number): Promise<void> {
  await lockInviter(tx, reward.inviter_id)
  const entries = await entriesOf(tx, reward.id)
  const wasEarned = entries.some(({ kind }) => kind === 'earned')
  const isOut = entries.some(({ kind, taken }) => kind === 'earned' && taken) && !entries.some(({ kind, taken }) => kind === 'clawed_back' && taken)
  const to = !wasEarned ? 'pending' : isOut ? 'paid' : 'available'
  const moved = await moveReward(tx, reward, to, { restored: true, ...(to === 'pending' ? { waitDays: holdDays } : {}) })
  if (!moved) return
  if (wasEarned) await enter(tx, moved, 'restored')
  for (const scope of [scopeOf(moved.inviter_id), PROGRAMME]) await retakeBudget(tx, scope, moved.month, moved.amount_nano)
  await tx.audit('invitation.restored', `reward:${reward.id}`, { to })
  await tx.emit('invitation.restored', { rewardId: String(reward.id), userId: reward.inviter_id })
}

/** Returns a reward's share of the monthly budgets. */
export async function freeBudget(tx: Tx, reward: RewardRow): Promise<void> {
  for (const scope of [scopeOf(reward.inviter_id), PROGRAMME]) await returnBudget(tx, scope, reward.month, reward.amount_nano)
}

const POSTED = { earned: 'invitation.earned', clawed_back: 'invitation.clawed_back', restored: 'invitation.restored' } as const

async function enter(tx: Tx, reward: RewardRow, kind: 'earned' | 'clawed_back' | 'restored'): Promise<void> {
  const isBack = kind === 'clawed_back'
  const { id, inviter_id: userId, amount_nano: amount } = reward
  const round = reward.restored ? 1 : 0
  if (!(await insertEntry(tx, { rewardId: id, userId, kind, round, amount: isBack ? minus(0n, amount) : amount }))) return
  const [house, own] = [systemAccount('marketing'), userAccount(userId, 'reward')]
  await post(tx, { kind: POSTED[kind], ref: `${id}:${round}`, legs: [isBack ? { from: own, to: house, amount } : { from: house, to: own, amount }] })
}
