import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'

export const STATES = ['draft', 'waiting', 'approved', 'done', 'failed', 'refused', 'withdrawn', 'expired'] as const
export type CommandState = (typeof STATES)[number]

/** From the least to the most that a rule asks for. */
export const LEVELS = ['free', 'reason', 'stepUp', 'second', 'two', 'forbidden'] as const
export type Level = (typeof LEVELS)[number]

/** Counted by month; the text beside it says the rest. */
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
export const change = z.object({ name: z.string(), before: fact, after: fact })
export const refusal = z.object({ name: z.string(), data: z.record(z.string(), z.unknown()).nullable() })

/** What a preview shows, and what a run has done, in the same words. */
export const shown = z.object({
  changes: z.array(change),
  /** Mails that leave with it, by template, and how many. */
  mails: z.record(z.string(), z.number()),
  /** News for other parts of the house; some of them send mails of their own. */
  news: z.array(z.string()),
  /** Rows written, by table. */
  rows: z.record(z.string(), z.number()),
  result: z.record(z.string(), fact),
  /** Why it would be refused; then nothing of the above would happen. */
  refusal: refusal.nullable(),
})
export type Shown = z.output<typeof shown>

export const difference = z.object({ expected: shown.nullable(), now: shown.nullable(), refusal: refusal.nullable() })
export type Difference = z.output<typeof difference>

const hour = z.int().min(0).max(24)
/** When a rule holds: everything that is named must be so. */
const conditions = z.strictObject({
  subject: z.string().max(200).optional(),
  /** Dollars that the act moves. */
  amountAbove: usdText.optional(),
  /** Dollars that the operator has moved by this command today, this one included. */
  todayAbove: usdText.optional(),
  /** The operator's own account, by its proven mail. */
  ownAccount: z.literal(true).optional(),
  /** Active owners there are. */
  ownersAtLeast: z.int().min(1).max(100).optional(),
  /** Other active operators who may approve the act. */
  othersAtLeast: z.int().min(1).max(100).optional(),
  accountYoungerThanDays: z.int().min(1).max(3650).optional(),
  /** Hours of Shanghai, from and to, outside of which it holds. */
  outsideHours: z.tuple([hour, hour]).optional(),
  /** Things that one act touches. */
  rowsAbove: z.int().min(1).max(100_000).optional(),
  via: z.enum(['session', 'token', 'breakGlass']).optional(),
})
export const rule = z.strictObject({
  /** A command's name, or its beginning with `*`. */
  command: z.string().regex(/^(?:[a-zA-Z-]+\.)?(?:[a-zA-Z-]+|\*)$/),
  level: z.enum(LEVELS),
  when: conditions.default({}),
})
export const ruleTable = z.array(rule).max(200)
export type Rule = z.output<typeof rule>
