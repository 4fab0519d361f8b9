import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { OrderDetail } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { LabeledFact } from '../page-head.tsx'
import { PAYABLE } from '../../words.ts'
import { payDisplay } from '../pay/pay-money.tsx'
import { forgetOrder } from '../pending-order.ts'
import { OrderStateBadge } from '../state-badge.tsx'
import { useCountdown } from '#ui/time/countdown.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderSlip } from './order-slip.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { isMoving, usePaymentOrder } from './use-orders.ts'
import { methodTextKey } from '../../contract-methods.ts'
import { PAYMENTS_STATE_TEXT } from '../../labels/state-texts.ts'
import { ProgressTimeline } from '../progress.tsx'

const EVENT_TEXT = {
  expired: 'event_expired',
  dispute_lost: 'event_dispute_lost',
  refunded: 'event_refunded',
  disputed: 'event_disputed',
  paid: 'event_paid',
  cancelled: 'event_cancelled',
  created: 'event_created',
  fulfilled: 'event_fulfilled',
  paid_late: 'event_paid_late',
  opened: 'event_opened',
  doubted: 'event_doubted',
  found: 'event_found',
  paid_again: 'event_paid_again',
  turned_away: 'event_turned_away',
  returning: 'event_returning',
  impossible: 'event_impossible',
  mismatch: 'event_mismatch',
  resolved: 'event_resolved',
  refund_requested: 'event_refund_requested',
  refund_approved: 'event_refund_approved',
  refund_rejected: 'event_refund_rejected',
  refund_sent: 'event_refund_sent',
  refund_failed: 'event_refund_failed',
  refund_reversed: 'event_refund_reversed',
  dispute_won: 'event_dispute_won',
  repaired: 'event_repaired',
} as const

/** Timeline of the order, oldest first. */
function OrderTimeline({ timeline, method, moving }: { readonly timeline: OrderDetail['timeline']; readonly method: number; readonly moving: boolean }) {
  const p = useTexts(paymentTexts)
  return (
    <ProgressTimeline
      moving={moving}
      steps={timeline.map(({ at, event, facts }, index) => ({
        key: `${index}`,
        at,
        text: p(EVENT_TEXT[event], {
          payAmount: '',
          payCurrency: '',
          ...facts,
          amount: facts['amount'] ? displayUsd(facts['amount']).slice(1) : '',
          method: p(methodTextKey(Number(facts['method'] ?? method))),
        }),
      }))}
    />
  )
}

const ABOUT_TEXT = {
  expired: 'about_expired',
  unknown: 'about_unknown',
  refunded: 'about_refunded',
  disputed: 'about_disputed',
  paid: 'about_paid',
  cancelled: 'about_cancelled',
  created: 'about_created',
  paying: 'about_paying',
  fulfilled: 'about_fulfilled',
  paid_late: 'about_paid_late',
  integrity_failure: 'about_integrity_failure',
  refunding: 'about_refunding',
  partially_refunded: 'about_partially_refunded',
} as const

/** Page /orders/{orderNo}, linked from mails and receipts. Updates automatically while the payment is processed. */
export function OrderPage() {
  const t = useTexts(pageTexts)
  const { orderNo = '' } = useParams({ strict: false }) as { orderNo?: string }
  useTitle(t('order_page'))
  const { data, error, refetch } = usePaymentOrder(orderNo)
  if (data) return <OrderView key={orderNo} detail={data} />
  return (
    <Frame title={t('order_page')}>
      {!error ? (
        <Waiting />
      ) : isApiError(error) && (error.errorName === 'ORDER_NOT_FOUND' || error.errorName === 'BAD_INPUT') ? (
        <div className="card">
          <EmptyState
            title={t('order_missing')}
            body={t('order_missing_about')}
            action={
              <Link to="/orders" className={getButtonClass('secondary')}>
                {t('all_orders')}
              </Link>
            }
          />
        </div>
      ) : (
        <ErrorState error={error} title={t('order_failed')} onRetry={() => void refetch()} />
      )}
    </Frame>
  )
}

function OrderView({ detail }: { readonly detail: OrderDetail }) {
  const t = useTexts(pageTexts)
  const { order, timeline, payments, can } = detail
  const mobile = useIsMobile()
  const [refunding, setRefunding] = useState(false)
  useOrderUpdates(order)
  const progress = <OrderTimeline timeline={timeline} method={order.transactionType} moving={isMoving(detail)} />
  return (
    <Frame title={order.title} amount={displayUsd(order.amount)} badge={<OrderStateBadge state={order.state} />}>
      <div className="grid grid-cols-1 items-start gap-8 desktop:grid-cols-[minmax(0,440px)_minmax(0,1fr)] desktop:gap-10 mobile:gap-6">
        <div className="min-w-0 desktop:order-2">
          <About detail={detail} />
          <OrderActions detail={detail} onRefund={() => setRefunding(true)} />
          {mobile ? null : <div className="mt-8">{progress}</div>}
        </div>
        <div className="min-w-0">
          <OrderSlip detail={detail} />
          <dl className="mt-4 divide-y divide-line">
            <LabeledFact name={t('fact_order')}>
              <span className="inline-flex items-center gap-1">
                <span className="num whitespace-normal">{order.orderNo}</span>
                <CopyButton iconOnly text={order.orderNo} label={t('fact_order')} className="-my-2" />
              </span>
            </LabeledFact>
            <LabeledFact name={t('fact_created')}>
              <Time at={order.createdTime} show="second" />
            </LabeledFact>
            {order.source === 'auto' ? (
              <LabeledFact name={t('fact_source')}>
                <Link to="/api" search={{ tab: 'view' }} className="link">
                  {t('source_auto')}
                </Link>
              </LabeledFact>
            ) : null}
            {order.successTime ? (
              <LabeledFact name={t('fact_paid')}>
                <Time at={order.successTime} show="second" />
              </LabeledFact>
            ) : null}
            {payments.map(({ channelTxn }) => (
              <LabeledFact key={channelTxn} name={t('fact_channel_no')}>
                <span className="inline-flex items-center gap-1">
                  <span className="num min-w-0 whitespace-normal">{channelTxn}</span>
                  <CopyButton iconOnly text={channelTxn} label={t('copy_channel_no')} className="-my-2" />
                </span>
              </LabeledFact>
            ))}
          </dl>
        </div>
        {mobile ? progress : null}
      </div>
      {can.refund === null ? null : <RefundDialog open={refunding} onClose={() => setRefunding(false)} order={order} most={can.refund} keep={can.keep} />}
    </Frame>
  )
}

/** Refreshes the balance when the order changes on the open page, and removes a finished order from the strip. */
function useOrderUpdates({ orderNo, state, refunded }: OrderDetail['order']) {
  const cache = useQueryClient()
  const seen = useRef(`${state} ${refunded}`)
  useEffect(() => {
    if (!PAYABLE.includes(state)) forgetOrder(orderNo)
    if (seen.current === `${state} ${refunded}`) return
    seen.current = `${state} ${refunded}`
    void cache.invalidateQueries({ queryKey: ['wallet'] })
  }, [cache, orderNo, state, refunded])
}

/** Explains in one sentence what the state means for the money. */
function About({ detail: { order } }: { readonly detail: OrderDetail }) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const [until] = useState(() => Date.now() + order.secondsLeft * 1000)
  const seconds = useCountdown(until)
  const left = seconds < 60 ? t('soon') : t('minutes', { count: Math.ceil(seconds / 60) })
  return (
    <div role="status">
      <p className="text-18 font-bold">
        {order.payable ? `${p('line_total')} ${payDisplay(order.payAmount, order.payCurrency)}` : p(PAYMENTS_STATE_TEXT[order.state])}
      </p>
      <p className="mt-1 text-14 text-fg-2">{t(ABOUT_TEXT[order.state], { left })}</p>
    </div>
  )
}

function Frame({
  title,
  amount,
  badge,
  children,
}: {
  readonly title: string
  readonly amount?: string
  readonly badge?: ReactNode
  readonly children: ReactNode
}) {
  const t = useTexts(pageTexts)
  return (
    <div className="max-w-[1040px]">
      <Link to="/orders" className="link text-13 mobile:hidden">
        {t('all_orders')}
      </Link>
      <div className="mt-1 mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 mobile:mb-5">
        <h1 className="text-20 font-bold">
          {title} {amount ? <span className="num">{amount}</span> : null}
        </h1>
        {badge}
      </div>
      {children}
    </div>
  )
}

function Waiting() {
  return (
    <div className="grid gap-8 desktop:grid-cols-[minmax(0,440px)_minmax(0,1fr)]" aria-busy="true">
      <Skeleton className="h-72" />
      <div className="grid content-start gap-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-4 w-72" />
        <Skeleton className="h-10 w-48" />
        <Skeleton className="mt-6 h-40" />
      </div>
    </div>
  )
}
