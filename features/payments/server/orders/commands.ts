import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Act } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { least, parseUsd, sum, usd } from '#platform/shared/money.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { receiptsOf } from '../trades/data-receipts.ts'
import type { Answer } from '../trades/ask-channels.ts'
import { refundsOf } from '../states/data-refunds.ts'
import { refundableOf } from '../refunds/refundable-now.ts'
import { approveOrder, queryOrder, refundOrder, rejectRefunds, repairOrder, waitingSuspense } from './repair-order.ts'

const one = { orderNo: z.string().min(1).max(60) }
interface Named {
  readonly orderNo: string
}
const orderOf = async (sql: Sql, { orderNo }: Named): Promise<OrderRow> => (await data.orderByNo(sql, orderNo)) ?? fail('ORDER_NOT_FOUND')
const subject = async ({ db }: Deps, input: Named) => `order:${(await orderOf(db, input)).order_no}`

async function look({ tx, deps }: Act, input: Named) {
  const order = await orderOf(tx, input)
  const [receipts, refunds] = [await receiptsOf(tx, order.id), await refundsOf(tx, order.id)]
  return {
    ...{ state: order.state, paid: order.paid_at !== null, payments: receipts.length, refundable: usd(await refundableOf(deps, tx, order, 'operator')) },
    inSuspense: receipts.filter((each) => each.outcome === 'suspense' && each.resolved_nano === null).length,
    refunds: refunds
      .map(({ state, amount_nano }) => `${state} ${usd(amount_nano)}`)
      .toSorted()
      .join(', '),
    available: usd((await balanceOf(tx, order.user_id)).available),
  }
}

const weigh = async (deps: Deps, input: Named & { readonly amount?: string | undefined }) => {
  const order = await orderOf(deps.db, input)
  const left = await refundableOf(deps, deps.db, order, 'operator')
  return { userId: order.user_id, amount: input.amount === undefined ? left : least(parseUsd(input.amount), left) }
}
/** `available` is loose: spending between preview and run does not change the decision, and `refundable` shows when it affects the order. */
const common = { subject, look, loose: ['available'] } as const
const lines = (done: readonly string[]) => ({ done: done.join(', ') })

export const orderCommands = [
  defineCommand({
    ...common,
    money: 'counted',
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
    money: 'own',
    name: 'order.repair',
    summary: 'Asks the channels about an order and applies what they say: nothing is marked paid without their word',
    permission: 'payments.repair',
    input: z.object(one),
    gather: (deps, { orderNo }) => queryOrder(deps, orderNo),
    run: async ({ deps, by, reason, gathered }, { orderNo }) => ({ state: (await repairOrder(deps, by, orderNo, reason, gathered as Answer[])).state }),
  }),
  defineCommand({
    ...common,
    money: 'counted',
    name: 'order.approve',
    summary: 'Approves what waits at an order: refunds that its customer asked for, and money in suspense, which becomes balance',
    permission: 'payments.decide',
    input: z.object(one),
    weigh: async ({ db }, input) => {
      const order = await orderOf(db, input)
      const waiting = (await refundsOf(db, order.id)).filter(({ state }) => state === 'requested')
      const suspended = await waitingSuspense(db, order)
      return { userId: order.user_id, amount: sum([...waiting.map(({ amount_nano }) => amount_nano), ...suspended.map(({ amount }) => amount)]) }
    },
    run: async ({ deps, by, reason }, { orderNo }) => lines(await approveOrder(deps, by, orderNo, reason)),
  }),
  defineCommand({
    ...common,
    money: 'own',
    name: 'order.reject',
    summary: 'Refuses the refunds that an order’s customer asked for; the money is the customer’s again',
    permission: 'payments.decide',
    input: z.object(one),
    run: async ({ deps, by, reason }, { orderNo }) => lines(await rejectRefunds(deps, by, orderNo, reason)),
  }),
] as const
