import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { least, parseUsd, sum, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { receiptsOf } from '../paying/data-receipts.ts'
import type { Answer } from '../paying/check-order.ts'
import { refundsOf } from '../refunds/data.ts'
import { refundablesOf } from '../refunds/start-refund.ts'
import { approveOrder, queryOrder, refundOrder, rejectRefunds, repairOrder } from './repair-order.ts'

const one = { orderNo: z.string().min(1).max(60) }
interface Named {
  readonly orderNo: string
}
const orderOf = async (sql: Sql, { orderNo }: Named): Promise<OrderRow> => (await data.orderByNo(sql, orderNo)) ?? fail('ORDER_NOT_FOUND')
const subject = async ({ db }: Deps, input: Named) => `order:${(await orderOf(db, input)).order_no}`

/** What one refund can still take: never above what was paid and is unspent. */
async function most(sql: Sql, order: OrderRow): Promise<Nano> {
  return (await refundablesOf(sql, order)).reduce((best, { left }) => (left > best ? left : best), 0n)
}

async function look({ tx }: Act, input: Named) {
  const order = await orderOf(tx, input)
  const [receipts, refunds] = [await receiptsOf(tx, order.id), await refundsOf(tx, order.id)]
  return {
    ...{ state: order.state, paid: order.paid_at !== null, payments: receipts.length, refundable: usd(await most(tx, order)) },
    inSuspense: receipts.filter((each) => each.outcome === 'suspense' && each.resolved_nano === null).length,
    refunds: refunds
      .map(({ state, amount_nano }) => `${state} ${usd(amount_nano)}`)
      .toSorted()
      .join(', '),
    available: usd((await balanceOf(tx, order.user_id)).available),
  }
}

const weigh = async ({ db }: Deps, input: Named & { readonly amount?: string | undefined }) => {
  const order = await orderOf(db, input)
  const left = await most(db, order)
  return { userId: order.user_id, amount: input.amount === undefined ? left : least(parseUsd(input.amount), left) }
}
/** What the customer spends meanwhile is not what is decided; `refundable` says when it touches the order. */
const common = { subject, look, loose: ['available'] } as const
const lines = (done: readonly string[]) => ({ done: done.join(', ') })

export const orderCommands = [
  defineCommand({
    ...common,
    name: 'order.refund',
    summary: 'Gives money of an order back the way it came: all that is left, or a part, with or without its fee',
    permission: 'payments.refund',
    input: z.object({ ...one, amount: usdAmount.optional(), withFee: z.boolean().default(false) }),
    weigh,
    run: async ({ deps, by, reason }, { orderNo, amount, withFee }) => {
      const wish = amount === undefined ? {} : { amount: parseUsd(amount) }
      const { refundNo, amount: back } = await refundOrder(deps, by, { orderNo, withFee, reason, ...wish })
      return { refundNo, amount: usd(back) }
    },
  }),
  defineCommand({
    ...common,
    bulk: true,
    name: 'order.repair',
    summary: 'Asks the channels about an order and applies what they say: nothing is marked paid without their word',
    permission: 'payments.repair',
    input: z.object(one),
    gather: (deps, { orderNo }) => queryOrder(deps, orderNo),
    run: async ({ deps, by, reason, gathered }, { orderNo }) => ({ state: (await repairOrder(deps, by, orderNo, reason, gathered as Answer[])).state }),
  }),
  defineCommand({
    ...common,
    name: 'order.approve',
    summary: 'Approves what waits at an order: refunds that its customer asked for, and money in suspense, which becomes balance',
    permission: 'payments.decide',
    input: z.object(one),
    weigh: async ({ db }, input) => {
      const order = await orderOf(db, input)
      const waiting = (await refundsOf(db, order.id)).filter(({ state }) => state === 'requested')
      return { userId: order.user_id, amount: sum(waiting.map(({ amount_nano }) => amount_nano)) }
    },
    run: async ({ deps, by, reason }, { orderNo }) => lines(await approveOrder(deps, by, orderNo, reason)),
  }),
  defineCommand({
    ...common,
    name: 'order.reject',
    summary: 'Refuses the refunds that an order’s customer asked for; the money is the customer’s again',
    permission: 'payments.decide',
    input: z.object(one),
    run: async ({ deps, by, reason }, { orderNo }) => lines(await rejectRefunds(deps, by, orderNo, reason)),
  }),
] as const
