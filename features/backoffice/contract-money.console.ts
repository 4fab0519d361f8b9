import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { channelType } from '#features/payments/contract-shapes.ts'
import { listPageInput, listPageReply } from './contract-desk.console.ts'
import { backofficeErrors } from './errors.ts'

const time = z.string()
const maybe = z.string().nullable()
const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>
const state = z.string().max(40).optional()
const user = z.string().max(80).optional()
const day = z.iso.date().optional()

export const orderListRow = z.object({
  ...{ orderNo: z.string(), userId: z.string(), customer: z.string(), orderType: z.number(), state: z.string(), source: z.string() },
  ...{ amount: z.string(), fee: z.string(), total: z.string(), payAmount: z.string(), currency: z.string(), channelType: z.number() },
  ...{ createdAt: time, paidAt: time.nullable(), waits: z.enum(['refund', 'suspense', 'dispute']).nullable() },
})
export type ConsoleOrderListRow = z.output<typeof orderListRow>

export const withdrawalListRow = z.object({
  ...{ withdrawalNo: z.string(), userId: z.string(), customer: z.string(), state: z.string(), source: z.string() },
  ...{ amount: z.string(), payAmount: z.string(), createdAt: time, finishedAt: time.nullable(), risk: z.enum(['low', 'middle', 'high']), waiting: maybe },
  /** A withdrawal on hold is neither approved nor paid; `until` is null if it lasts until an operator releases it. */
  hold: z.object({ by: z.string(), at: time, until: time.nullable(), why: z.string() }).nullable(),
})
export type WithdrawalListRow = z.output<typeof withdrawalListRow>

/** A risk factor of a payout, in favour or against; `value` fills its text. */
export const riskFact = z.object({ key: z.string(), tone: z.enum(['good', 'warn', 'bad']), value: z.string() })

/** Orders, payments and withdrawals for operators. */
export const moneyContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  orders: {
    ...{ ...read, path: '/operator/orders', summary: 'Orders, newest first' },
    input: z.object({
      ...{ ...listPageInput, q: z.string().trim().max(254).optional(), state, userId: user, channel: channelType.optional() },
      ...{ from: day, to: day, waits: z.enum(['refund', 'suspense', 'dispute']).optional() },
    }),
    reply: listPageReply(orderListRow),
    errors: ['BAD_INPUT'],
  },
  order: {
    ...{ ...read, path: '/operator/order', summary: 'One order: what was asked, paid, tried and given back, and every notice of a channel' },
    input: z.object({ orderNo: z.string().min(1).max(60) }),
    reply: orderListRow.extend({
      ...{ rate: z.string(), feePercent: z.string(), discount: z.string(), refundable: z.string(), expiresAt: time },
      attempts: z.array(z.object({ tradeNo: z.string(), channelType: z.number(), state: z.string(), form: maybe, at: time, reason: maybe })),
      receipts: z.array(
        z.object({
          ...{
            id: z.string(),
            channelType: z.number(),
            channelTxn: z.string(),
            tradeNo: z.string(),
            payAmount: z.string(),
            currency: z.string(),
            paidAt: time,
          },
          ...{ outcome: z.string(), worth: z.string(), resolvedBy: maybe },
        }),
      ),
      notices: z.array(z.object({ noticeId: z.string(), channelType: z.number(), event: z.string(), at: time })),
      refunds: z.array(
        z.object({
          ...{ refundNo: z.string(), amount: z.string(), fee: z.string(), state: z.string(), goesTo: z.string(), reason: z.string(), askedBy: z.string() },
          ...{ at: time, finishedAt: time.nullable(), failure: maybe },
        }),
      ),
      disputes: z.array(
        z.object({
          ...{ channelType: z.number(), disputeId: z.string(), payAmount: z.string(), currency: z.string(), state: z.string() },
          ...{ at: time, closedAt: time.nullable(), dueAt: time.nullable() },
        }),
      ),
      steps: z.array(z.object({ event: z.string(), at: time, actor: z.string(), reason: z.string() })),
    }),
    errors: ['NOT_FOUND'],
  },
  withdrawals: {
    ...{ ...read, path: '/operator/withdrawals', summary: 'Withdrawals, newest first' },
    input: z.object({ ...listPageInput, q: z.string().trim().max(254).optional(), state, held: z.enum(['true']).optional(), userId: user, from: day, to: day }),
    reply: listPageReply(withdrawalListRow),
    errors: ['BAD_INPUT'],
  },
  withdrawal: {
    ...{ ...read, path: '/operator/withdrawal', summary: 'One withdrawal: where the money goes, its steps, and what speaks for and against it' },
    input: z.object({ withdrawalNo: z.string().min(1).max(60) }),
    reply: withdrawalListRow.extend({
      ...{ rate: z.string(), payee: z.string(), reason: z.string(), payoutVendor: maybe, payoutTxn: maybe },
      parts: z.array(z.object({ orderNo: z.string(), channelType: z.number(), amount: z.string(), payAmount: z.string(), state: z.string() })),
      transfer: z.object({ amount: z.string(), payAmount: z.string() }).nullable(),
      steps: z.array(z.object({ state: z.string(), at: time, actor: z.string(), reason: z.string() })),
      facts: z.array(riskFact),
      /** End of the waiting period after a change of payee; approval is refused before. */
      coolUntil: time.nullable(),
    }),
    errors: ['NOT_FOUND'],
  },
})
