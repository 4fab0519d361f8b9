import { z } from 'zod'
import { defineContract, fileReply, usdText } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { REWARD_KINDS, REWARD_REASONS, REWARD_STATES } from './words.ts'

const read = { method: 'GET', access: 'operator' } as const satisfies Partial<Endpoint>
const userId = z.string().min(1).max(80)
const count = z.number().int()

const review = z.object({
  ...{ inviterId: z.string(), who: z.string(), openedAt: z.string(), dueAt: z.string() },
  /** `system:signals`, or the operator who put the rewards on hold. */
  openedBy: z.string(),
  ...{ rewards: count, amount: usdText, signals: z.array(z.string()) },
})

const signal = z.object({ signal: z.string(), weight: count, facts: z.record(z.string(), z.union([z.string(), z.number()])) })

const reviewedReward = z.object({
  ...{ id: z.string(), kind: z.enum(REWARD_KINDS), inviteeId: z.string(), who: z.string(), orderNo: z.string(), base: usdText, amount: usdText },
  ...{ state: z.enum(REWARD_STATES), reason: z.enum(REWARD_REASONS), score: count, createdAt: z.string(), availableAt: z.string() },
  signals: z.array(signal),
})

/** Rate negotiated with the inviter. `until`: its last day, in Shanghai time. */
const rate = z.object({
  ...{ id: z.string(), reward: usdText, from: z.string(), until: z.string(), state: z.enum(['planned', 'holds', 'over', 'ended']) },
  ...{ reason: z.string(), by: z.string() },
})

/**
 * Graph of shared marks. People are linked to marks (a payer, a payout account, papers, a browser, a place, a mailbox), so that a ring of n
 * people has n edges. A mark's label is the beginning of its hash: the value itself is not stored.
 */
export const reviewGraph = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['inviter', 'invitee', 'other', 'staff', 'mark']),
      /** Masked contact of a person; for a mark `payer 3f9a1c`. */
      label: z.string(),
      /** State of an invitee's direct reward. */
      state: z.enum(REWARD_STATES).nullable(),
    }),
  ),
  /** `invited` points from inviter to invitee; all other edges are signals with their current weight. */
  edges: z.array(z.object({ from: z.string(), to: z.string(), signal: z.string(), weight: count })),
  /** The graph is truncated. */
  isCut: z.boolean(),
})
export type ReviewGraph = z.output<typeof reviewGraph>

/** Rewards that wait for an operator. Decisions are commands: `reward.hold`, `reward.release`, `reward.refuse`, `reward.rules`. */
export const reviewContract = defineContract(commonErrors)({
  reviews: {
    ...{ ...read, path: '/operator/reward/reviews', summary: 'Inviters whose rewards wait, the first due on top', permission: 'work.read' },
    input: z.object({}),
    reply: z.object({ reviews: z.array(review) }),
    errors: [],
  },
  review: {
    ...{ ...read, path: '/operator/reward/review', summary: 'One inviter: figures, rewards with their signals, what the people have in common' },
    permission: 'work.read',
    input: z.object({ userId }),
    reply: z.object({
      ...{ userId: z.string(), who: z.string(), isStaff: z.boolean() },
      open: review.nullable(),
      figures: z.object({ people: count, qualified: count, earned: usdText, pending: usdText, available: usdText, takenBack: count }),
      /** Current weights: a sum of `holdAt` holds a reward, of `refuseAt` refuses it. */
      weights: z.object({ weights: z.record(z.string(), count), holdAt: count, refuseAt: count }),
      rewards: z.array(reviewedReward),
      rates: z.array(rate),
      graph: reviewGraph,
      past: z.array(
        z.object({
          openedAt: z.string(),
          closedAt: z.string(),
          openedBy: z.string(),
          decision: z.enum(['release', 'refuse']),
          by: z.string(),
          reason: z.string(),
        }),
      ),
    }),
    errors: ['NOT_FOUND'],
  },
  rules: {
    ...{
      ...read,
      path: '/operator/reward/rules',
      summary: 'Every version of the rules, newest first, and what this month took of the budget',
      permission: 'work.read',
    },
    input: z.object({}),
    reply: z.object({
      versions: z.array(
        z.object({
          ...{ version: count, effectiveAt: z.string(), reward: usdText, discount: usdText, threshold: usdText, holdDays: count, keepDays: count },
          ...{ inviterCap: usdText, programmeCap: usdText, withdrawMin: usdText, tiers: z.array(z.object({ from: count, reward: usdText })).nullable() },
          ...{ second: usdText.nullable(), cashbackPercent: z.string().nullable(), by: z.string() },
        }),
      ),
      month: z.object({ used: usdText, cap: usdText }),
    }),
    errors: [],
  },
  paidFile: {
    ...{ ...read, path: '/operator/reward/paid.csv', summary: 'Sums paid to each person in a year of Shanghai, for the tax report', permission: 'audit.read' },
    input: z.object({ year: z.coerce.number().int().min(2020).max(2100) }),
    reply: fileReply,
    errors: [],
  },
})
