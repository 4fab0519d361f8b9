import { z } from 'zod'
import { defineContract, fileReply, usdText, langSchema } from '#platform/shared/contract.ts'
import { gatewayErrors } from './contract.ts'

/** Usage: sums by hour, day and month, single calls, receipts, files. Days are Shanghai's; `to` is included. */

const day = z.iso.date()
const keyId = z.string().max(60).optional()
const model = z.string().max(120).optional()
const range = z.object({ from: day.optional(), to: day.optional() })
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,9})?$/)
  .optional()

const sumFields = { callNum: z.number(), failNum: z.number(), totalTokens: z.number(), consumeAmount: usdText }
const totals = z.object(sumFields)
export type UsageTotals = z.output<typeof totals>

const usageRow = z.object({
  statDate: z.string(),
  /** Empty where rows are grouped by key. */
  modelValue: z.string(),
  vendor: z.string(),
  /** Empty where rows are grouped by model. */
  keyId: z.string(),
  keyName: z.string(),
  ...sumFields,
})
export type UsageRow = z.output<typeof usageRow>

export const callOutcomes = ['completed', 'client_gone', 'upstream_failed', 'upstream_cut'] as const
const provenance = z.enum(['upstream', 'upstream_partial', 'counted', 'estimated', 'held'])
const callSummary = z.object({
  callId: z.string(),
  startedAt: z.string(),
  model: z.string(),
  /** Retired model that the caller named, if `model` answered in its place. */
  askedModel: z.string().nullable(),
  vendor: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  status: z.number(),
  outcome: z.enum(callOutcomes),
  provenance,
  inputTokens: z.number(),
  cachedTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  /** Quantity of the unit that is counted instead of tokens. */
  measured: z.object({ kind: z.enum(['characters', 'seconds', 'searches']), count: z.number() }).nullable(),
  totalMs: z.number(),
  amount: usdText,
})
export type CallSummary = z.output<typeof callSummary>

const callFilter = range.extend({
  keyId,
  model,
  /** One outcome, or all except `completed`. */
  outcome: z.enum([...callOutcomes, 'not_completed']).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  minAmount: amount,
  maxAmount: amount,
})
export type CallFilterInput = z.output<typeof callFilter>

const lineKind = z.enum([
  'input',
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'audioInput',
  'audioOutput',
  'imageInput',
  'reasoning',
  'call',
  'cachedAudio',
  'cachedImage',
  'imageOutput',
  'characters',
  'seconds',
  'searches',
  'cacheWrite12h',
  'webSearches',
  'groundedPrompts',
  'mapPrompts',
  'containers',
  'codeSeconds',
  'flex',
  'priority',
  'fast',
  'us',
])
export type LineKind = z.output<typeof lineKind>
const callDetail = callSummary.extend({
  apiToken: z.string(),
  dialect: z.string(),
  stream: z.boolean(),
  firstByteMs: z.number(),
  requestId: z.string(),
  upstreamRequestId: z.string(),
  /** Identifies the prices in force when the call began, and the start of their validity. */
  priceVersion: z.number(),
  priceFrom: z.string(),
  /** Percentage of the list price, if the caller negotiated one. */
  pricePercent: z.string().nullable(),
  /** True if the held amount was charged because no figure came in time; a later figure replaces it. */
  isProvisional: z.boolean(),
  /**
   * Earlier charges that a later, real figure replaced. `cause`: the answer itself came late, the vendor reported it on request, or support
   * decided.
   */
  corrections: z.array(z.object({ at: z.string(), cause: z.enum(['node', 'vendor', 'operator']), before: usdText, after: usdText })),
  /** `tokens` (characters, seconds, searches or uses of a tool where the kind counts those) x unitPrice (dollars per million) = amount, each rounded up to the nano-dollar; the amounts add up to the call's. */
  lines: z.array(z.object({ kind: lineKind, tokens: z.number(), unitPrice: usdText, amount: usdText })),
  /** Upstreams that failed to answer the call, in order; `from` is milliseconds after the call began. Kept for a month. */
  failedTries: z.array(z.object({ status: z.number(), cause: z.enum(['refused', 'timeout', 'connection']), from: z.number(), ms: z.number() })),
})
export type CallDetail = z.output<typeof callDetail>

export const usageSteps = ['hour', 'day', 'month'] as const
export const usageGroups = ['model', 'key', 'vendor'] as const

export const usageContract = defineContract(gatewayErrors)({
  usage: {
    method: 'GET',
    path: '/user/usage',
    access: 'user',
    summary: 'Use by day and model or key, whole days at a time, newest first: a range of days, else this month (`current`) or the months before (`history`)',
    input: range.extend({
      mode: z.enum(['current', 'history']).default('current'),
      group: z.enum(['model', 'key']).default('model'),
      keyId,
      /** The key's secret or its id, if `keyId` is absent. */
      apiToken: z.string().max(120).optional(),
      model,
      /** `next` of the previous page: returns days before this one. */
      after: day.optional(),
      /** Pages of rows instead of whole days (product.md 2.7); `after` is ignored then. */
      pageNum: z.coerce.number().int().min(1).max(100_000).optional(),
      pageSize: z.coerce.number().int().min(1).max(999).default(20),
    }),
    /** `totals` of the whole range come with the first page; page numbers come with `pageNum` only. */
    reply: z.object({
      pageNum: z.number().optional(),
      pageSize: z.number().optional(),
      totalPage: z.number().optional(),
      totalRecord: z.number().optional(),
      rowList: z.array(usageRow),
      next: z.string().nullable(),
      totals: totals.nullable(),
      from: z.string(),
      to: z.string(),
      updatedAt: z.string(),
    }),
    errors: ['KEY_NOT_FOUND'],
    timeoutMs: 0,
  },
  usageSeries: {
    method: 'GET',
    path: '/user/usage/series',
    access: 'user',
    summary: 'Use over time for a chart: by hour (at most 7 days), day or month, by model, key or vendor; the seven costliest by name, the others together',
    input: range.extend({ step: z.enum(usageSteps).optional(), group: z.enum(usageGroups).default('model'), keyId, model }),
    reply: z.object({
      from: z.string(),
      to: z.string(),
      step: z.enum(usageSteps),
      /** `at` is YYYY-MM-DD HH, YYYY-MM-DD or YYYY-MM; `name` is null for the sum of all groups that are not listed. */
      points: z.array(z.object({ at: z.string(), name: z.string().nullable(), ...sumFields })),
      groups: z.array(z.object({ name: z.string(), label: z.string(), vendor: z.string(), ...sumFields })),
      totals,
    }),
    errors: [],
  },
  calls: {
    method: 'GET',
    path: '/user/usage/calls',
    access: 'user',
    summary:
      'Single calls, newest first. `next` continues to older ones as `after`, `previous` to newer ones as `before`; a page may be short or empty and yet have a `next`, when a rare kind is looked for among very many',
    input: callFilter.extend({
      /** A single day; shorthand for equal `from` and `to`. */
      day: day.optional(),
      after: z.string().max(120).optional(),
      before: z.string().max(120).optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(20),
    }),
    /** `searchedTo` is set if the search stopped before the page was full: the point it reached. */
    reply: z.object({ rowList: z.array(callSummary), next: z.string().nullable(), previous: z.string().nullable(), searchedTo: z.string().nullable() }),
    errors: [],
  },
  call: {
    method: 'GET',
    path: '/user/usage/call',
    access: 'user',
    summary: 'One call as a receipt that adds up',
    input: z.object({ callId: z.string().min(1).max(80) }),
    reply: callDetail,
    errors: ['CALL_NOT_FOUND'],
  },
  usageSummary: {
    method: 'GET',
    path: '/user/usage/summary',
    access: 'user',
    summary: 'The last 30 days by vendor, how long the balance lasts, and the first steps done',
    input: z.object({}),
    reply: z.object({
      days: z.array(z.object({ statDate: z.string(), vendor: z.string(), callNum: z.number(), consumeAmount: usdText })),
      from: z.string(),
      to: z.string(),
      callNum: z.number(),
      consumeAmount: usdText,
      monthAmount: usdText,
      weekAmount: usdText,
      /** Whole days that the balance lasts at the pace of the last seven; null if nothing was spent. */
      runwayDays: z.number().nullable(),
      hasKey: z.boolean(),
      hasCall: z.boolean(),
      firstCallAt: z.string().nullable(),
    }),
    errors: [],
  },
  usageCsv: {
    method: 'GET',
    path: '/user/usage.csv',
    access: 'user',
    summary:
      'Every call of a range as CSV, oldest first, written as it is read; the last line counts and adds up what came before it, so a file without it is not whole. `after` (a call id) continues after that call, without the header',
    input: callFilter.extend({ after: z.string().max(80).optional(), lang: langSchema.optional() }),
    reply: fileReply,
    errors: ['CALL_NOT_FOUND', 'EXPORT_BUSY'],
    timeoutMs: 0,
  },
})
