import type { Tx } from '#platform/server/database/transact.ts'
import { minus } from '#platform/shared/money.ts'
import { post, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import { lockInviter } from '../data.ts'
import { entriesOf, insertEntry, moveReward, retakeBudget, returnBudget } from './data.ts'
import type { RewardRow } from './data.ts'
import { tellInviter } from '../mails.ts'
import type { Deps } from '#platform/server/feature.ts'

/** Every posting of rewards, each beside its entry: the reward account is the sum of the entries that no payout took. */

export const PROGRAMME = 'programme'
export const scopeOf = (inviterId: string) => `user:${inviterId}`

/** The waiting is over: the reward is the inviter's. */
export async function earn(tx: Tx, reward: RewardRow, score: number): Promise<void> {
  await lockInviter(tx, reward.inviter_id)
  const moved = await moveReward(tx, reward, 'available', { score })
  if (moved) await enter(tx, moved, 'earned')
}

/** The payment that it rests on went back. What was earned is taken back with it, if need be from later rewards. */
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

/** The payment is there again, for once: a dispute was won, or it was paid anew. */
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

/** A place of the month that nothing takes any more. */
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
