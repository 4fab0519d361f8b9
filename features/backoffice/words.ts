import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'

export const COMMAND_STATES = ['draft', 'waiting', 'approved', 'done', 'failed', 'refused', 'withdrawn', 'expired'] as const
export type CommandState = (typeof COMMAND_STATES)[number]

/** Levels that a rule can require, in ascending order. */
export const APPROVAL_LEVELS = ['free', 'reason', 'stepUp', 'second', 'two', 'forbidden'] as const
export type ApprovalLevel = (typeof APPROVAL_LEVELS)[number]

/** Reason codes, counted by month; the free text adds the details. */
export const REASON_CODES = [
  'customerAsked',
  'ourFault',
  'vendorFault',
  'fraud',
  'abuse',
  'legal',
  'maintenance',
  'correction',
  'incident',
  'staff',
  'undo',
] as const

const fact = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const commandChange = z.object({ name: z.string(), before: fact, after: fact })
export const commandRefusal = z.object({ name: z.string(), data: z.record(z.string(), z.unknown()).nullable() })

/** Effects of a command, in the same form for a preview and a run. */
export const commandEffects = z.object({
  changes: z.array(commandChange),
  /** Number of mails that it sends, by template. */
  mails: z.record(z.string(), z.number()),
  /** Events for other features, some of which send their own mails. */
  news: z.array(z.string()),
  /** Rows written, by table. */
  rows: z.record(z.string(), z.number()),
  result: z.record(z.string(), fact),
  /** Error that would refuse it; then none of the above happens. */
  refusal: commandRefusal.nullable(),
})
export type CommandEffects = z.output<typeof commandEffects>

export const effectsDifference = z.object({ expected: commandEffects.nullable(), now: commandEffects.nullable(), refusal: commandRefusal.nullable() })
export type EffectsDifference = z.output<typeof effectsDifference>

const hour = z.int().min(0).max(24)
/** Conditions of a rule; all that are set must hold. */
const conditions = z.strictObject({
  subject: z.string().max(200).optional(),
  /** Amount in dollars that the command moves. */
  amountAbove: usdText.optional(),
  /** Dollars that the operator has moved with this command today, including this one. */
  todayAbove: usdText.optional(),
  /** The subject is the operator's own account, by its proven mail. */
  ownAccount: z.literal(true).optional(),
  /** Number of active owners. */
  ownersAtLeast: z.int().min(1).max(100).optional(),
  /** Number of other active operators who may approve the command. */
  othersAtLeast: z.int().min(1).max(100).optional(),
  accountYoungerThanDays: z.int().min(1).max(3650).optional(),
  /** Rule holds outside these hours, from and to, in Shanghai time. */
  outsideHours: z.tuple([hour, hour]).optional(),
  /** Number of items that one command touches. */
  rowsAbove: z.int().min(1).max(100_000).optional(),
  via: z.enum(['session', 'token', 'breakGlass']).optional(),
})
export const approvalRule = z.strictObject({
  /** Command name, or a prefix ending with `*`. */
  command: z.string().regex(/^(?:[a-zA-Z-]+\.)?(?:[a-zA-Z-]+|\*)$/),
  level: z.enum(APPROVAL_LEVELS),
  when: conditions.default({}),
})
export const approvalRules = z.array(approvalRule).max(200)
export type ApprovalRule = z.output<typeof approvalRule>
