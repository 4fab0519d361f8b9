import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { minNano, parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { selectReceipts } from '../trades/data-receipts.ts'
import type { ChannelAnswer } from '../trades/query-channels.ts'
import { selectRefunds } from '../states/data-refunds.ts'
import { computeRefundable } from '../refunds/refundable-now.ts'
import { approveOrder, queryOrderTrades, refundOrder, rejectRefunds, repairOrder, listWaitingSuspense } from './repair-order.ts'

const orderNoInput = { orderNo: z.string().min(1).max(60) }
interface OrderNoInput {
  readonly orderNo: string
}
const requireOrder = async (sql: Sql, { orderNo }: OrderNoInput): Promise<OrderRow> => (await data.selectOrderByNo(sql, orderNo)) ?? fail('ORDER_NOT_FOUND')
const subject = async ({ db }: Deps, input: OrderNoInput) => `order:${(await requireOrder(db, input)).orderNo}`

async function look({ tx, deps }: CommandExecution, input: OrderNoInput) {
  const order = await requireOrder(tx, input)
  const [receipts, refunds] = [await selectReceipts(tx, order.id), await selectRefunds(tx, order.id)]
  return {
    ...{
      state: order.state,
      paid: order.paidAt !== null,
      payments: receipts.length,
      refundable: formatUsd(await computeRefundable(deps, tx, { order, by: 'operator' })),
    },
    inSuspense: receipts.filter((each) => each.outcome === 'suspense' && each.resolvedNano === null).length,
    refunds: refunds
      .map(({ state, amountNano }) => `${state} ${formatUsd(amountNano)}`)
      .toSorted()
      .join(', '),
    available: formatUsd((await readBalance(tx, order.userId)).available),
  }
}

const weigh = async (deps: Deps, input: OrderNoInput & { readonly amount?: string | undefined }) => {
  const order = await requireOrder(deps.db, input)
  const left = await computeRefundable(deps, deps.db, { order, by: 'operator' })
  return { userId: order.userId, amount: input.amount === undefined ? left : minNano(parseUsd(input.amount), left) }
}
/**
 * `available` is loose: spending between preview and run does not change the decision, and `refundable` shows whether it affects the order.
 */
const common = { subject, look, loose: ['available'] } as const
const formatDone = (done: readonly string[]) => ({ done: done.join(', ') })

export const paymentOrderCommands = [
  defineCommand({
    ...common,
    money: 'counted',
    name: 'order.refund',
    summary: 'Gives money of an order back the way it came: all that is left, or a part, with or without its fee',
    permission: 'payments.refund',
    input: z.object({ ...orderNoInput, amount: usdAmount.optional(), withFee: z.boolean().default(false) }),
    weigh,
    run: async ({ deps, by, reason }, { orderNo, amount, withFee }) => {
      const wish = amount === undefined ? {} : { amount: parseUsd(amount) }
      const { refundNo, amount: back } = await refundOrder(deps, by, { orderNo, withFee, reason, ...wish })
      return { refundNo, amount: formatUsd(back) }
    },
  }),
  defineCommand({
    ...common,
    bulk: true,
    money: 'own',
    name: 'order.repair',
    summary: 'Asks the channels about an order and applies what they say: nothing is marked paid without their word',
    permission: 'payments.repair',
    input: z.object(orderNoInput),
    gather: (deps, { orderNo }) => queryOrderTrades(deps, orderNo),
    run: async ({ deps, by, reason, gathered }, { orderNo }) => ({
      state: (await repairOrder(deps, by, { orderNo, reason, answers: gathered as ChannelAnswer[] })).state,
    }),
  }),
  defineCommand({
    ...common,
    money: 'counted',
    name: 'order.approve',
    summary: 'Approves what waits at an order: refunds that its customer asked for, and money in suspense, which becomes balance',
    permission: 'payments.decide',
    input: z.object(orderNoInput),
    weigh: async ({ db }, input) => {
      const order = await requireOrder(db, input)
      const waiting = (await selectRefunds(db, order.id)).filter(({ state }) => state === 'requested')
      const suspended = await listWaitingSuspense(db, order)
      return { userId: order.userId, amount: sumNano([...waiting.map(({ amountNano }) => amountNano), ...suspended.map(({ amount }) => amount)]) }
    },
    run: async ({ deps, by, reason }, { orderNo }) => formatDone(await approveOrder(deps, by, { orderNo, reason })),
  }),
  defineCommand({
    ...common,
    money: 'own',
    name: 'order.reject',
    summary: 'Refuses the refunds that an order’s customer asked for; the money is the customer’s again',
    permission: 'payments.decide',
    input: z.object(orderNoInput),
    run: async ({ deps, by, reason }, { orderNo }) => formatDone(await rejectRefunds(deps, by, { orderNo, reason })),
  }),
] as const
