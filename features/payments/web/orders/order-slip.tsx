import { Fragment } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { OrderDetail, OrderRefund } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { LIVE_REFUNDS, PAID } from '../../words.ts'
import { OrderLines } from '../order-lines.tsx'
import { paidDisplay } from '../pay/pay-money.tsx'
import { methodTextKey } from '../../contract-methods.ts'

const OUTCOME_TEXT = { suspense: 'outcome_suspense', returning: 'outcome_returning', late: 'outcome_late', again: 'outcome_again' } as const
const DISPUTE_TEXT = { lost: 'dispute_lost', won: 'dispute_won', open: 'dispute_open' } as const
const REFUND_STATE_TEXT = {
  requested: 'refund_state_requested',
  failed: 'refund_state_failed',
  unknown: 'refund_state_unknown',
  reversed: 'refund_state_reversed',
  rejected: 'refund_state_rejected',
  approved: 'refund_state_approved',
  dispatched: 'refund_state_dispatched',
  succeeded: 'refund_state_succeeded',
} as const
const REFUND_TO_TEXT = { balance: 'refund_to_balance', channel: 'refund_to_channel' } as const

/** The order as a till receipt: item and fee add up to the sum to pay; payments and refunds below. */
export function OrderSlip({ detail }: { readonly detail: OrderDetail }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const { order, payments, refunds, disputes } = detail
  const paid = PAID.includes(order.state)
  return (
    <Receipt look="inline" label={t('slip')} className="w-full">
      <div className="mb-5 flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-16 font-bold">{order.title}</p>
          <p className="num text-12 whitespace-normal text-fg-3">{order.orderNo}</p>
        </div>
        {paid ? <Stamp className="shrink-0" /> : null}
      </div>
      <OrderLines order={order} paid={paid} />
      {payments.length ? (
        <>
          <ReceiptRule />
          {payments.map((payment) => (
            <ReceiptRow
              key={payment.channelTxn}
              label={t('line_received', { method: p(methodTextKey(payment.transactionType)) })}
              value={paidDisplay(payment.payAmount, payment.payCurrency)}
              note={
                <>
                  <Time at={payment.paidTime} show="second" />
                  {payment.outcome === 'credited' ? null : <span> · {t(OUTCOME_TEXT[payment.outcome])}</span>}
                </>
              }
            />
          ))}
        </>
      ) : null}
      {refunds.length ? (
        <>
          <ReceiptRule />
          {refunds.map((refund) => (
            <RefundLine key={refund.refundNo} refund={refund} />
          ))}
        </>
      ) : null}
      {disputes.length ? (
        <>
          <ReceiptRule />
          {disputes.map((dispute) => (
            <Fragment key={dispute.createdTime}>
              <ReceiptRow
                label={t('line_dispute')}
                value={paidDisplay(dispute.payAmount, dispute.payCurrency)}
                note={
                  <>
                    <Time at={dispute.createdTime} /> · {t(DISPUTE_TEXT[dispute.state])}
                  </>
                }
              />
              {dispute.fee === '0' ? null : <ReceiptRow label={t('line_dispute_fee')} value={`−${displayUsd(dispute.fee)}`} note={t('dispute_fee_about')} />}
            </Fragment>
          ))}
        </>
      ) : null}
    </Receipt>
  )
}

/** A refund that failed is struck through, because it does not count. */
function RefundLine({ refund }: { readonly refund: OrderRefund }) {
  const t = useTexts(pageTexts)
  const counts = LIVE_REFUNDS.includes(refund.state)
  const money = refund.to === 'balance' ? displayUsd(refund.amount) : paidDisplay(refund.payAmount, refund.payCurrency)
  return (
    <ReceiptRow
      label={t('line_refund')}
      value={counts ? `−${money}` : <s>{money}</s>}
      note={
        <>
          <Time at={refund.finishedTime ?? refund.createdTime} /> · {t(REFUND_STATE_TEXT[refund.state])}
          {counts ? ` · ${t(REFUND_TO_TEXT[refund.to])}` : ''}
        </>
      }
    />
  )
}
