import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano } from '#platform/shared/money.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { lockInviter } from '../data.ts'
import { selectRewardEntries, insertEntry, moveReward, retakeBudget, returnBudget } from './data.ts'
import type { RewardRow } from './data.ts'
import { mailInviter } from '../mails.ts'
import type { Deps } from '#platform/server/feature.ts'

/** Postings of rewards, each with its entry: the reward account is the sum of the entries without a payout. */

export const PROGRAMME_SCOPE = 'programme'
export const formatInviterScope = (inviterId: string) => `user:${inviterId}`

/** Ends the waiting period: the reward becomes available to the inviter. */
export async function earnReward(tx: Tx, reward: RewardRow, score: number): Promise<void> {
  await lockInviter(tx, reward.inviterId)
  const moved = await moveReward(tx, reward, { to: 'available', more: { score } })
  if (moved) await bookEntry(tx, moved, 'earned')
}

/** Claws back a reward whose payment was refunded. An earned amount is taken back, if necessary from later rewards. */
export async function clawBackReward(deps: Deps, tx: Tx, reward: RewardRow): Promise<void> {
  await lockInviter(tx, reward.inviterId)
  const moved = await moveReward(tx, reward, { to: 'clawed_back', more: { reason: 'refund' } })
  if (!moved) return
  if (reward.state === 'available' || reward.state === 'paid') await bookEntry(tx, moved, 'clawed_back')
  await releaseBudget(tx, moved)
  await tx.audit('invitation.clawed_back', `reward:${reward.id}`, { from: reward.state })
  await tx.emit('invitation.clawed_back', { rewardId: String(reward.id), userId: reward.inviterId })
  await mailInviter(deps, tx, { reward: moved, event: 'back' })
}

/** Restores a reward once, after its payment came back: a dispute was won, or the user paid again. */
export async function restoreReward(tx: Tx, reward: RewardRow, holdDays: number): Promise<void> {
  await lockInviter(tx, reward.inviterId)
  const entries = await selectRewardEntries(tx, reward.id)
  const wasEarned = entries.some(({ kind }) => kind === 'earned')
  const isOut = entries.some(({ kind, taken }) => kind === 'earned' && taken) && !entries.some(({ kind, taken }) => kind === 'clawed_back' && taken)
  const to = !wasEarned ? 'pending' : isOut ? 'paid' : 'available'
  const moved = await moveReward(tx, reward, { to, more: { restored: true, ...(to === 'pending' ? { waitDays: holdDays } : {}) } })
  if (!moved) return
  if (wasEarned) await bookEntry(tx, moved, 'restored')
  for (const scope of [formatInviterScope(moved.inviterId), PROGRAMME_SCOPE]) await retakeBudget(tx, scope, { month: moved.month, amount: moved.amountNano })
  await tx.audit('invitation.restored', `reward:${reward.id}`, { to })
  await tx.emit('invitation.restored', { rewardId: String(reward.id), userId: reward.inviterId })
}

/** Returns a reward's share of the monthly budgets. */
export async function releaseBudget(tx: Tx, reward: RewardRow): Promise<void> {
  for (const scope of [formatInviterScope(reward.inviterId), PROGRAMME_SCOPE]) await returnBudget(tx, scope, { month: reward.month, amount: reward.amountNano })
}

const POSTED_KINDS = { earned: 'invitation.earned', clawed_back: 'invitation.clawed_back', restored: 'invitation.restored' } as const

async function bookEntry(tx: Tx, reward: RewardRow, kind: 'earned' | 'clawed_back' | 'restored'): Promise<void> {
  const isBack = kind === 'clawed_back'
  const { id, inviterId: userId, amountNano: amount } = reward
  const round = reward.restored ? 1 : 0
  if (!(await insertEntry(tx, { rewardId: id, userId, kind, round, amount: isBack ? subtractNano(0n, amount) : amount }))) return
  const [house, own] = [systemAccount('marketing'), userAccount(userId, 'reward')]
  await postTransaction(tx, {
    kind: POSTED_KINDS[kind],
    ref: `${id}:${round}`,
    legs: [isBack ? { from: own, to: house, amount } : { from: house, to: own, amount }],
  })
}
