import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { MovementFactsSource, MovementFacts } from '#features/wallet/server/door.ts'
import { toCurrencySymbol } from '../../contract-currencies.ts'
import { methodTextKey, PAY_METHODS } from '../../contract-methods.ts'
import { paymentTexts } from '../../texts.ts'
import { formatOrderTitle } from '../../texts-titles.ts'
import { paymentMailTexts } from '../mail-texts.ts'
import { selectOrdersByNo, selectOrdersOfDisputes, selectOrdersOfRefunds, selectWithdrawalFacts } from './data-movements.ts'
import type { OrderFacts, WithdrawalFacts } from './data-movements.ts'

type Rows = Parameters<MovementFactsSource['read']>[1]['rows']

const BY_ORDER = ['topup', 'order.balance', 'order.discount', 'bonus.revoked'] as const
const BY_REFUND = ['topup', 'refund.credited', 'refund.done', 'refund.taken', 'refund.released'] as const
const BY_DISPUTE = ['dispute', 'dispute.fee', 'dispute.fee_back', 'dispute.fee_unowed', 'bonus.held', 'bonus.returned'] as const

const formatWithSymbol = (currency: string, amount: string) => `${toCurrencySymbol(currency)}${showUsd(amount)}`
const REFUND_NO_PATTERN = /(R\d{8}-[0-9A-Z]{12})/
const parseRefundNo = (ref: string) => REFUND_NO_PATTERN.exec(ref)?.[1]

/** Name of the payment method, and the sum paid with it. */
function describePayment(lang: Lang, order: OrderFacts): { method: string; paid: string } {
  const method = paymentTexts[lang][methodTextKey(order.transactionType)]
  return { method, paid: `${method} ${formatWithSymbol(order.currency, formatMinor(order.payMinor))}` }
}

function buildTopUpFacts(lang: Lang, order: OrderFacts): MovementFacts {
  const { method, paid } = describePayment(lang, order)
  const words = paymentMailTexts[lang]
  const about = [
    ...(order.source === 'auto' ? [words.funds_auto] : []),
    ...(order.feeNano > 0n ? [fill(words.funds_fee, { fee: formatUsd(order.feeNano) })] : []),
  ].join(words.funds_comma)
  return { subject: method, about, from: paid, orderNo: order.orderNo, hasReceipt: true }
}

const byOrder: MovementFactsSource = {
  kinds: BY_ORDER,
  read: async ({ db }, { lang, userId, rows }) => {
    const numberOf = ({ kind, ref, orderRef: order }: Rows[number]) => (kind === 'order.balance' ? ref : (order ?? /\d{8}-[0-9A-Z]{12}/.exec(ref)?.[0] ?? ''))
    const own = rows.filter((row) => !parseRefundNo(row.ref))
    const orders = new Map((await selectOrdersByNo(db, userId, own.map(numberOf))).map((order) => [order.asked, order]))
    const facts = new Map<bigint, MovementFacts>()
    for (const row of own) {
      const order = orders.get(numberOf(row))
      if (!order) continue
      const title = formatOrderTitle(order.orderType, lang)
      if (row.kind === 'topup') facts.set(row.id, buildTopUpFacts(lang, order))
      else if (row.kind === 'order.balance') facts.set(row.id, { subject: title, to: title, orderNo: order.orderNo })
      else facts.set(row.id, { orderNo: order.orderNo, about: title })
    }
    return facts
  },
}

const byRefund: MovementFactsSource = {
  kinds: BY_REFUND,
  read: async ({ db }, { lang, userId, rows }) => {
    const own = rows.flatMap((row) => {
      const refundNo = parseRefundNo(row.ref)
      return refundNo ? [{ ...row, refundNo }] : []
    })
    const orders = await selectOrdersOfRefunds(
      db,
      userId,
      own.map((row) => row.refundNo),
    )
    const found = new Map(orders.map((order) => [order.asked, order]))
    const facts = new Map<bigint, MovementFacts>()
    for (const row of own) {
      const order = found.get(row.refundNo)
      if (!order) continue
      const title = formatOrderTitle(order.orderType, lang)
      const { method } = describePayment(lang, order)
      const withdrawal = order.withdrawalNo === null ? {} : { withdrawalNo: order.withdrawalNo }
      const isTopUp = row.kind === 'refund.taken' || row.kind === 'refund.released'
      facts.set(row.id, {
        orderNo: order.orderNo,
        ...withdrawal,
        ...(isTopUp ? { subject: method, ...(row.kind === 'refund.taken' ? { to: method } : { from: method }) } : { subject: title, from: title }),
        ...(order.withdrawalNo === null ? {} : { about: paymentMailTexts[lang].funds_of_withdrawal }),
      })
    }
    return facts
  },
}

const byDispute: MovementFactsSource = {
  kinds: BY_DISPUTE,
  read: async ({ db }, { lang, userId, rows }) => {
    const nameOf = ({ kind, ref }: Rows[number]) => (kind === 'dispute' ? ref.slice(0, ref.lastIndexOf(':')) : ref)
    const orders = new Map((await selectOrdersOfDisputes(db, userId, rows.map(nameOf))).map((order) => [order.asked, order]))
    const facts = new Map<bigint, MovementFacts>()
    for (const row of rows) {
      const order = orders.get(nameOf(row))
      if (!order) continue
      const { method } = describePayment(lang, order)
      facts.set(row.id, { orderNo: order.orderNo, about: formatOrderTitle(order.orderType, lang), ...(row.kind === 'dispute' ? { to: method } : {}) })
    }
    return facts
  },
}

function buildWithdrawalFacts(lang: Lang, row: WithdrawalFacts, isBack: boolean): MovementFacts {
  const method = paymentTexts[lang][PAY_METHODS.alipay.text]
  const account = `${method} ${row.alipay}`.trim()
  const state = row.state === 'in_transit' ? 'processing' : row.state === 'failed' || row.state === 'returned' ? 'returned' : undefined
  const about = row.sentMinor === null ? '' : fill(paymentMailTexts[lang].funds_arrives, { amount: formatMinor(row.sentMinor) })
  if (isBack) return { from: account, withdrawalNo: row.withdrawalNo }
  return { subject: method, to: account, about, withdrawalNo: row.withdrawalNo, ...(state ? { state } : {}) }
}

const byWithdrawal: MovementFactsSource = {
  kinds: ['withdraw.sent', 'withdraw.returned'],
  read: async ({ db }, { lang, userId, rows }) => {
    const found = await selectWithdrawalFacts(db, userId, { numbers: rows.map((row) => row.ref), sent: rows.map((row) => row.id) })
    const of = (row: Rows[number]) => found.find((one) => one.sentTx === row.id || one.withdrawalNo === row.ref)
    return new Map(
      rows.flatMap((row) => {
        const withdrawal = of(row)
        return withdrawal ? [[row.id, buildWithdrawalFacts(lang, withdrawal, row.kind === 'withdraw.returned')] as const] : []
      }),
    )
  },
}

export const paymentMovementFacts: readonly MovementFactsSource[] = [byOrder, byRefund, byDispute, byWithdrawal]
