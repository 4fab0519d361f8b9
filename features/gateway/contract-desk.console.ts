import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { gatewayErrors } from './contract.ts'

const amount = z.string()
const classLine = z.object({
  ...{ name: z.string(), now: amount, then: amount, vendor: amount.nullable() },
  ...{ marginNow: z.number().nullable(), marginThen: z.number().nullable(), belowCost: z.boolean() },
})
const route = z.object({
  ...{ model: z.string(), upstreamModel: z.string(), priority: z.number(), weight: z.number(), costBp: z.number() },
  dialects: z.array(z.string()).nullable(),
})
const modelHour = z.object({ model: z.string(), calls: z.number(), failed: z.number(), firstByteMs: z.number() })
/** Result of an operator's test call. `unknown`: it may have been sent, but no outcome arrived. `isMost`: charged the most it can cost. */
const testCallResult = z.object({
  ...{ id: z.string(), model: z.string(), state: z.enum(['waiting', 'calling', 'done', 'failed', 'unknown']), at: z.string(), by: z.string() },
  ...{ status: z.number().nullable(), latencyMs: z.number().nullable(), cost: amount.nullable(), isMost: z.boolean(), answer: z.string() },
})
const day = z.iso.date()
const readAccess = { method: 'GET', access: 'operator', permission: 'work.read' } as const
const state = z.enum(['active', 'draining', 'off'])

/** Console endpoints for upstreams, prices and books. */
export const gatewayDeskContract = defineContract({ ...commonErrors, ...gatewayErrors })({
  upstreams: {
    ...{ ...readAccess, path: '/operator/upstreams', summary: 'Upstreams with their routes, their calls of the last hour and of now' },
    input: z.object({}),
    reply: z.object({
      cheapestFirst: z.boolean(),
      upstreams: z.array(
        z.object({
          ...{ id: z.string(), vendor: z.string(), baseUrl: z.string(), state, fromEnvironment: z.boolean(), openCalls: z.number() },
          ...{ concurrent: z.number().nullable(), perMinute: z.number().nullable(), routes: z.array(route), hour: z.array(modelHour) },
          /** Key that an operator stored; null if the upstream uses the environment's. */
          ...{ key: z.object({ last4: z.string(), by: z.string(), at: z.string() }).nullable(), tests: z.array(testCallResult) },
        }),
      ),
    }),
    errors: [],
  },
  dryRun: {
    ...{ ...readAccess, method: 'POST', path: '/operator/routes/dryRun', summary: 'Dry run of changed routes with the calls of the last hour' },
    input: z.object({
      upstreamId: z.string().max(63),
      state: state.optional(),
      weights: z
        .array(z.object({ model: z.string().max(200), weight: z.int().min(1).max(10_000) }))
        .max(200)
        .default([]),
    }),
    reply: z.object({
      ...{ calls: z.number(), unserved: z.number() },
      rows: z.array(z.object({ model: z.string(), upstream: z.string(), before: z.number(), after: z.number() })),
    }),
    errors: [],
  },
  prices: {
    ...{ ...readAccess, path: '/operator/prices', summary: 'The price book: current prices, the vendor’s, thirty days of use, planned prices' },
    input: z.object({}),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ model: z.string(), name: z.string(), vendor: z.string(), version: z.number(), from: z.string(), plan: z.string().nullable() },
          ...{ customers: z.number(), calls: z.number(), amount, classes: z.array(classLine) },
        }),
      ),
      plans: z.array(z.object({ title: z.string(), byOperator: z.boolean(), from: z.string(), models: z.array(z.string()) })),
    }),
    errors: [],
  },
  tryPrices: {
    ...{
      ...readAccess,
      method: 'POST',
      path: '/operator/prices/try',
      summary: 'Effects of a draft of prices, against now, the vendor and thirty days of use',
    },
    input: z.object({
      from: z.iso.datetime({ offset: true }),
      changes: z
        .array(z.object({ model: z.string().max(200), prices: z.record(z.string().max(40), z.string().regex(/^\d{1,6}(\.\d{1,9})?$/)) }))
        .min(1)
        .max(200),
    }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ model: z.string(), classes: z.array(classLine), customers: z.number(), amountNow: amount, amountThen: amount.nullable() },
          ...{ costs: amount.nullable(), belowCost: z.boolean() },
        }),
      ),
      /** Totals of all rows; a row without a sample counts unchanged. */
      total: z.object({
        ...{ customers: z.number(), amountNow: amount, amountThen: amount, difference: amount, costs: amount },
        ...{ marginNow: amount, marginThen: amount, rateNow: z.number(), rateThen: z.number() },
      }),
    }),
    errors: ['BAD_INPUT', 'NOT_FOUND'],
  },
  customerTerms: {
    ...{ ...readAccess, path: '/operator/customer/terms', summary: 'Terms negotiated with a customer: current, planned and past' },
    input: z.object({ userId: z.string().min(1).max(80) }),
    reply: z.object({
      /** Minimum number of days between planning a price rise and its start. */
      noticeDays: z.number(),
      rows: z.array(
        z.object({
          ...{ id: z.string(), model: z.string().nullable(), percent: z.string(), from: z.string(), title: z.string(), rises: z.boolean() },
          ...{ madeBy: z.string(), state: z.enum(['holds', 'planned', 'over', 'cancelled']) },
        }),
      ),
    }),
    errors: [],
  },
  books: {
    ...{ ...readAccess, path: '/operator/books', summary: 'Days of the comparison of books, newest first' },
    input: z.object({ after: day.optional(), limit: z.coerce.number().int().min(1).max(200).default(31) }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ day: z.string(), charged: amount, posted: amount, received: amount, paidBack: amount, sums: amount, captured: amount },
          ...{ unread: z.array(z.string()), alarms: z.array(z.string()), comparedAt: z.string() },
        }),
      ),
      next: z.string().nullable(),
    }),
    errors: [],
  },
  bookDay: {
    ...{ ...readAccess, path: '/operator/book', summary: 'One day’s books, model by model: ours, the vendor’s, the margin' },
    input: z.object({ day }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ vendor: z.string(), model: z.string(), revision: z.number(), calls: z.number(), estimated: z.number(), charge: amount },
          ...{ tokens: z.number(), theirCalls: z.number().nullable(), theirTokens: z.number().nullable(), theirCost: amount.nullable() },
          ...{ tokenDrift: z.number().nullable(), margin: amount.nullable() },
        }),
      ),
    }),
    errors: [],
  },
})
