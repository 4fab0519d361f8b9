import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { maskedContactsOf } from '#features/account/server/door.ts'
import { marksAround, staffAmong } from '#features/risk/server/door.ts'
import type { reviewContract } from '../../contract.console.ts'
import { ratesOf } from '../rates/data.ts'
import type { RateRow } from '../rates/data.ts'
import type { RewardRow } from '../rewards/data.ts'
import { sumsOf } from '../rewards/data-lists.ts'
import { signalWeights } from '../settings.ts'
import { broughtBy, openReviews, pastReviews, rewardsToReview, signalsOf } from './data.ts'
import type { OpenReview, SignalRow } from './data.ts'
import { drawGraph } from './review-graph.ts'

const REWARDS = 100
const PEOPLE = 200
const MARKS = 100
type Contract = typeof reviewContract

function reviewView(row: OpenReview, who: string) {
  return {
    ...{ inviterId: row.inviter_id, who, openedAt: row.created_at.toISOString(), dueAt: row.due_at.toISOString(), openedBy: row.opened_by },
    ...{ rewards: row.rewards, amount: usd(row.amount), signals: [...row.signals] },
  }
}

export const listReviews: Handler<Contract['reviews']> = async ({ db }) => {
  const rows = await openReviews(db)
  const names = await maskedContactsOf(
    db,
    rows.map((row) => row.inviter_id),
  )
  return { reviews: rows.map((row) => reviewView(row, names.get(row.inviter_id) ?? '')) }
}

export const readReview: Handler<Contract['review']> = async (ctx, { userId }) => {
  const { db } = ctx
  const rewards = await rewardsToReview(db, userId, REWARDS)
  const invitees = [...new Set([...rewards.map((row) => row.invitee_id), ...(await broughtBy(db, userId, PEOPLE))])]
  const [open] = await openReviews(db, userId)
  const names = await maskedContactsOf(db, [userId, ...invitees])
  if (!open && !invitees.length && !names.has(userId)) fail('NOT_FOUND')
  const signals = Map.groupBy(
    await signalsOf(
      db,
      rewards.map(({ id }) => id),
    ),
    (row) => row.reward_id,
  )
  const sums = await sumsOf(db, userId)
  const weights = await ctx.settings.get(signalWeights)
  return {
    ...{ userId, who: names.get(userId) ?? '', isStaff: (await staffAmong(db, [userId])).length > 0 },
    open: open ? reviewView(open, names.get(userId) ?? '') : null,
    figures: {
      ...{ people: sums.people, qualified: sums.qualified, takenBack: sums.back_count },
      ...{ earned: usd(sums.earned), pending: usd(sums.pending), available: usd(sums.available) },
    },
    weights: { weights: weights.weights, holdAt: weights.holdAt, refuseAt: weights.refuseAt },
    rewards: rewards.map((row) => rewardView(row, names.get(row.invitee_id) ?? '', signals.get(row.id) ?? [])),
    rates: (await ratesOf(db, userId)).map(rateView),
    graph: await graphOf(ctx, userId, { invitees, rewards, signals, weights: weights.weights }),
    past: (await pastReviews(db, userId)).map((row) => ({
      ...{ openedAt: row.created_at.toISOString(), closedAt: row.closed_at.toISOString(), openedBy: row.opened_by },
      ...{ decision: row.decision, by: row.actor, reason: row.reason },
    })),
  }
}

const rateView = (row: RateRow) => ({
  ...{ id: String(row.id), reward: usd(row.reward_nano), from: row.valid_from.toISOString(), until: shanghaiDay(row.valid_until.getTime() - 1) },
  ...{ state: row.state, reason: row.reason, by: row.made_by },
})

function rewardView(row: RewardRow, who: string, signals: readonly SignalRow[]) {
  return {
    ...{ id: String(row.id), kind: row.kind, inviteeId: row.invitee_id, who, orderNo: row.order_no, base: usd(row.base_nano), amount: usd(row.amount_nano) },
    ...{ state: row.state, reason: row.reason, score: row.score, createdAt: row.created_at.toISOString(), availableAt: row.available_at.toISOString() },
    signals: signals.map(({ signal, weight, facts }) => ({ signal, weight, facts })),
  }
}

interface Known {
  readonly invitees: readonly string[]
  readonly rewards: readonly RewardRow[]
  readonly signals: ReadonlyMap<bigint, readonly SignalRow[]>
  readonly weights: Readonly<Record<string, number>>
}

/** Signals that are between two people and rest on no mark; the others are of one person, and stand with the reward. */
const BETWEEN = new Set(['cycle', 'same_network', 'shared_network'])

async function graphOf({ db }: Ctx, inviterId: string, { invitees, rewards, signals, weights }: Known) {
  const inviteeIds = invitees.slice(0, PEOPLE)
  const marks = await marksAround(db, [inviterId, ...inviteeIds], MARKS)
  const everybody = [...new Set([inviterId, ...inviteeIds, ...marks.flatMap(({ subjects }) => subjects)])]
  const names = await maskedContactsOf(db, everybody)
  const states = new Map(rewards.filter(({ kind }) => kind === 'direct').map((row) => [row.invitee_id, row.state]))
  const direct = rewards.flatMap((row) =>
    (signals.get(row.id) ?? []).filter(({ signal }) => BETWEEN.has(signal)).map(({ signal, weight }) => ({ inviteeId: row.invitee_id, signal, weight })),
  )
  return drawGraph({
    ...{ inviterId, inviteeIds, marks, direct, staff: await staffAmong(db, everybody) },
    stateOf: (id) => states.get(id) ?? null,
    nameOf: (id) => names.get(id) ?? '',
    weightOf: (signal) => weights[signal] ?? 0,
  })
}
