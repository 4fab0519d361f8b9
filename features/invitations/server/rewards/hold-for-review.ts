import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'
import { insertReview, moveReward } from './data.ts'
import type { RewardRow } from './data.ts'
import { reviewDays } from '../settings.ts'

/** Holds a reward until an operator decides; until then later rewards of the inviter wait, too. */
export async function holdForReview(deps: Deps, tx: Tx, { reward, score }: { readonly reward: RewardRow; readonly score: number }): Promise<RewardRow> {
  const held = await moveReward(tx, reward, { to: 'held', more: { reason: 'review', score } })
  if (!held) return reward
  const due = addWorkingDays(deps.clock.now(), await deps.settings.get(reviewDays))
  if (await insertReview(tx, reward.inviterId, { dueAt: due })) await tx.emit('invitation.review', { userId: reward.inviterId, rewardId: String(reward.id) })
  return held
}

/** The same time of day so many working days later, in Shanghai. */
export function addWorkingDays(now: Date, days: number): Date {
  let day = toShanghaiDay(now)
  let left = days
  while (left > 0) {
    day = getNextDay(day)
    if (![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())) left--
  }
  return new Date(Date.parse(`${day}T00:00:00Z`) + (now.getTime() - Date.parse(`${toShanghaiDay(now)}T00:00:00Z`)))
}
