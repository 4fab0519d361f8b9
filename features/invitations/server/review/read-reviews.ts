import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { loadMaskedContacts } from '#features/account/server/door.ts'
import { selectMarksAround, selectStaff } from '#features/risk/server/door.ts'
import type { SharedMark, MarkKind } from '#features/risk/server/door.ts'
import type { reviewContract, ReviewGraph } from '../../contract.console.ts'
import { selectRates } from '../rates/data.ts'
import type { RateRow } from '../rates/data.ts'
import type { RewardRow } from '../rewards/data.ts'
import { selectInvitationSums } from '../rewards/data-lists.ts'
import { signalWeights } from '../settings.ts'
import { selectInvitees, selectOpenReviews, selectPastReviews, selectRewardsToReview, selectSignals } from './data.ts'
import type { OpenReview, SignalRow } from './data.ts'
import type { RewardState } from '../../words.ts'

interface GraphFacts {
  readonly inviterId: string
  readonly inviteeIds: readonly string[]
  readonly marks: readonly SharedMark[]
  readonly staff: readonly string[]
  /** State of an invitee's direct reward. */
  readonly stateOf: (userId: string) => RewardState | null
  /** Masked contact; empty if there is none. */
  readonly nameOf: (userId: string) => string
  /** Signals between the inviter and an invitee without a shared mark. */
  readonly direct: readonly { readonly inviteeId: string; readonly signal: string; readonly weight: number }[]
  readonly weightOf: (signal: string) => number
}

/** Signal of each mark kind. The weights of mailbox and place are part of the reward's own signals, from the sign-up. */
const SIGNAL_OF_MARK: Readonly<Record<MarkKind, string>> = {
  mailbox: 'same_contact',
  payer: 'same_payer',
  payout: 'same_payout',
  person: 'same_person',
  device: 'same_device',
  place: 'same_place',
  network: 'same_network',
  keys: 'same_keys',
}
const NODES = 300

/** Draws people and their shared marks as nodes and edges: the inviter first, then the invitees, then others who share a mark. */
function drawGraph(facts: GraphFacts): ReviewGraph {
  const { inviterId, inviteeIds, marks, staff, stateOf, nameOf, direct, weightOf } = facts
  const others = marks.flatMap(({ subjects }) => subjects).filter((id) => id !== inviterId && !inviteeIds.includes(id))
  const everybody = [inviterId, ...inviteeIds, ...new Set(others)]
  const people = everybody.slice(0, NODES)
  const drawn = new Set(people)
  const kindOf = (id: string) => {
    if (staff.includes(id) || id.startsWith('operator:')) return 'staff'
    return id === inviterId ? 'inviter' : inviteeIds.includes(id) ? 'invitee' : 'other'
  }
  const joined = marks.map(({ kind, mark, subjects }) => ({ kind, mark, here: subjects.filter((id) => drawn.has(id)) })).filter(({ here }) => here.length > 1)
  return {
    nodes: [
      ...people.map((id) => ({ id, kind: kindOf(id), label: nameOf(id) || id.slice(-6), state: stateOf(id) }) as const),
      ...joined.map(({ kind, mark }) => ({ id: `mark:${kind}:${mark}`, kind: 'mark', label: `${kind} ${mark.slice(0, 6)}`, state: null }) as const),
    ],
    edges: [
      ...inviteeIds.filter((id) => drawn.has(id)).map((to) => ({ from: inviterId, to, signal: 'invited', weight: 0 })),
      ...direct.filter(({ inviteeId }) => drawn.has(inviteeId)).map(({ inviteeId, signal, weight }) => ({ from: inviterId, to: inviteeId, signal, weight })),
      ...joined.flatMap(({ kind, mark, here }) => {
        const signal = SIGNAL_OF_MARK[kind]
        return here.map((from) => ({ from, to: `mark:${kind}:${mark}`, signal, weight: weightOf(signal) }))
      }),
    ],
    isCut: people.length < everybody.length,
  }
}

const MAX_REWARDS = 100
const MAX_PEOPLE = 200
const MAX_MARKS = 100
type Contract = typeof reviewContract

function toReview(row: OpenReview, who: string) {
  return {
    ...{ inviterId: row.inviterId, who, openedAt: row.createdAt.toISOString(), dueAt: row.dueAt.toISOString(), openedBy: row.openedBy },
    ...{ rewards: row.rewards, amount: formatUsd(row.amount), signals: [...row.signals] },
  }
}

export const listReviews: Handler<Contract['reviews']> = async ({ db }) => {
  const rows = await selectOpenReviews(db)
  const names = await loadMaskedContacts(
    db,
    rows.map((row) => row.inviterId),
  )
  return { reviews: rows.map((row) => toReview(row, names.get(row.inviterId) ?? '')) }
}

export const readReview: Handler<Contract['review']> = async (ctx, { userId }) => {
  const { db } = ctx
  const rewards = await selectRewardsToReview(db, userId, MAX_REWARDS)
  const invitees = [...new Set([...rewards.map((row) => row.inviteeId), ...(await selectInvitees(db, userId, MAX_PEOPLE))])]
  const [open] = await selectOpenReviews(db, userId)
  const names = await loadMaskedContacts(db, [userId, ...invitees])
  if (!open && !invitees.length && !names.has(userId)) fail('NOT_FOUND')
  const signals = Map.groupBy(
    await selectSignals(
      db,
      rewards.map(({ id }) => id),
    ),
    (row) => row.rewardId,
  )
  const sums = await selectInvitationSums(db, userId)
  const weights = await ctx.settings.get(signalWeights)
  return {
    ...{ userId, who: names.get(userId) ?? '', isStaff: (await selectStaff(db, [userId])).length > 0 },
    open: open ? toReview(open, names.get(userId) ?? '') : null,
    figures: {
      ...{ people: sums.people, qualified: sums.qualified, takenBack: sums.backCount },
      ...{ earned: formatUsd(sums.earned), pending: formatUsd(sums.pending), available: formatUsd(sums.available) },
    },
    weights: { weights: weights.weights, holdAt: weights.holdAt, refuseAt: weights.refuseAt },
    rewards: rewards.map((row) => toReviewedReward(row, names.get(row.inviteeId) ?? '', signals.get(row.id) ?? [])),
    rates: (await selectRates(db, userId)).map(toRate),
    graph: await buildGraph(ctx, userId, { invitees, rewards, signals, weights: weights.weights }),
    past: (await selectPastReviews(db, userId)).map((row) => ({
      ...{ openedAt: row.createdAt.toISOString(), closedAt: row.closedAt.toISOString(), openedBy: row.openedBy },
      ...{ decision: row.decision, by: row.actor, reason: row.reason },
    })),
  }
}

const toRate = (row: RateRow) => ({
  ...{ id: String(row.id), reward: formatUsd(row.rewardNano), from: row.validFrom.toISOString(), until: toShanghaiDay(row.validUntil.getTime() - 1) },
  ...{ state: row.state, reason: row.reason, by: row.madeBy },
})

function toReviewedReward(row: RewardRow, who: string, signals: readonly SignalRow[]) {
  return {
    ...{
      id: String(row.id),
      kind: row.kind,
      inviteeId: row.inviteeId,
      who,
      orderNo: row.orderNo,
      base: formatUsd(row.baseNano),
      amount: formatUsd(row.amountNano),
    },
    ...{ state: row.state, reason: row.reason, score: row.score, createdAt: row.createdAt.toISOString(), availableAt: row.availableAt.toISOString() },
    signals: signals.map(({ signal, weight, facts }) => ({ signal, weight, facts })),
  }
}

interface ReviewData {
  readonly invitees: readonly string[]
  readonly rewards: readonly RewardRow[]
  readonly signals: ReadonlyMap<bigint, readonly SignalRow[]>
  readonly weights: Readonly<Record<string, number>>
}

/** Signals between two people without a shared mark; other signals concern one person and are listed with the reward. */
const PAIR_SIGNALS = new Set(['cycle', 'same_network', 'shared_network'])

async function buildGraph({ db }: Ctx, inviterId: string, { invitees, rewards, signals, weights }: ReviewData) {
  const inviteeIds = invitees.slice(0, MAX_PEOPLE)
  const marks = await selectMarksAround(db, [inviterId, ...inviteeIds], MAX_MARKS)
  const everybody = [...new Set([inviterId, ...inviteeIds, ...marks.flatMap(({ subjects }) => subjects)])]
  const names = await loadMaskedContacts(db, everybody)
  const states = new Map(rewards.filter(({ kind }) => kind === 'direct').map((row) => [row.inviteeId, row.state]))
  const direct = rewards.flatMap((row) =>
    (signals.get(row.id) ?? []).filter(({ signal }) => PAIR_SIGNALS.has(signal)).map(({ signal, weight }) => ({ inviteeId: row.inviteeId, signal, weight })),
  )
  return drawGraph({
    ...{ inviterId, inviteeIds, marks, direct, staff: await selectStaff(db, everybody) },
    stateOf: (id) => states.get(id) ?? null,
    nameOf: (id) => names.get(id) ?? '',
    weightOf: (signal) => weights[signal] ?? 0,
  })
}
