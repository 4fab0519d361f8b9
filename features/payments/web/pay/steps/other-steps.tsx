import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { ChannelRow, PaymentOrder } from '../../../contract-shapes.ts'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { ChannelCards } from '../channel-cards.tsx'
import { DoneHeading } from '../done-heading.tsx'
import { formatFeeTerms, isSameFee } from '../../fee-words.ts'
import { chooseFirstMethod, channelMethodKey } from '../method/last-method.ts'
import { PaymentsNotice } from '../../notice.tsx'
import { OrderNo, PaidLines } from '../../order-lines.tsx'
import { formatPaidHeading } from '../order-heading.ts'
import type { PaidOrderResult, PayState } from '../pay-machine.ts'
import { payDisplay } from '../pay-money.tsx'
import type { Pay } from '../use-pay.ts'
import { usePaymentOrderTitle } from '../../use-order-title.ts'
import { useChannels } from '../use-offer.ts'
import { ORDER_TYPE } from '../../../words.ts'

const OVER_TEXT = { expired: 'over_expired', cancelled: 'over_cancelled', mismatch: 'over_mismatch' } as const
const OVER_ABOUT_TEXT = { expired: 'over_expired_about', cancelled: 'over_cancelled_about', mismatch: 'over_mismatch_about' } as const

/** Offers another method for the same order. A method with another fee or currency needs a new order, because the figures are frozen. */
export function ChooseStep({ state, pay }: { readonly state: Extract<PayState, { step: 'choosing' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  const channels = useChannels(true, state.order)
  const [key, setKey] = useState(channelMethodKey(state.method))
  if (channels.isError) return <ErrorState error={channels.error} onRetry={() => void channels.refetch()} />
  if (!channels.data) return <Skeleton className="h-32" />
  const rows = channels.data.filter((each) => canSwitchTo(each, state.order))
  const row: ChannelRow | undefined = rows.find((each) => channelMethodKey(each) === key && !each.disabled) ?? chooseFirstMethod(rows)
  const otherCurrency = row !== undefined && row.payCurrency !== state.order.payCurrency
  const otherFee = row !== undefined && row.channelType !== state.order.channelType && !isSameFee(row, state.order)
  return (
    <div className="grid gap-4">
      <div role="alert" className="empty:-mt-4">
        {state.error ? <PaymentsNotice tone="warning">{state.error}</PaymentsNotice> : null}
      </div>
      <ChannelCards rows={rows} chosen={row} onChoose={(next) => setKey(channelMethodKey(next))} />
      {otherCurrency ? (
        <PaymentsNotice tone="info">{t('other_currency', { currency: row.payCurrency })}</PaymentsNotice>
      ) : otherFee ? (
        <PaymentsNotice tone="info">{t('other_fee', { fee: formatFeeTerms(row) })}</PaymentsNotice>
      ) : null}
      <OrderNo orderNo={state.order.orderNo} />
      <div className="flex flex-wrap gap-3 mobile:[&>*]:flex-1">
        {otherFee || otherCurrency ? (
          <Button onClick={pay.restart}>{t('order_again')}</Button>
        ) : (
          <Button
            disabled={!row}
            onClick={() => {
              if (row) void pay.open(state.order, { channelType: row.channelType, transactionType: row.transactionType, tradeFrom: row.tradeFrom })
            }}
          >
            {t('pay', { amount: payDisplay(state.order.payAmount, state.order.payCurrency) })}
          </Button>
        )}
        {state.back ? (
          <Button variant="secondary" onClick={pay.back}>
            {t('back')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** True if the order can switch to this method: a top-up can be reordered at other terms, any other order keeps its own. */
function canSwitchTo(row: ChannelRow, order: PaymentOrder): boolean {
  if (order.orderType === ORDER_TYPE.OPENAI_API) return true
  return row.payCurrency === order.payCurrency && (row.channelType === order.channelType || isSameFee(row, order))
}

/** Step for an unknown outcome, which is not shown as a failure. */
export function UnknownStep({ state, pay }: { readonly state: Extract<PayState, { step: 'unknown' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  return (
    <DoneHeading title={t('unknown_title')} mark={<span className="spinner inline-block text-28 text-brand" aria-hidden="true" />}>
      <p className="text-14 text-fg-2">{t('unknown_about')}</p>
      <OrderNo orderNo={state.order.orderNo} />
      <div className="mt-2 flex flex-wrap gap-3">
        <Button onClick={() => void pay.open(state.order, state.method)}>{t('open_again')}</Button>
        <Button variant="secondary" onClick={pay.changeMethod}>
          {t('change_method')}
        </Button>
      </div>
    </DoneHeading>
  )
}

/** Step after the payment: the stamp, then the receipt. */
export function DoneStep({ order, onDone }: { readonly order: PaidOrderResult; readonly onDone: () => void }) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const title = usePaymentOrderTitle()
  const topUp = order.orderType === ORDER_TYPE.OPENAI_API
  return (
    <DoneHeading title={topUp ? t('done_title') : formatPaidHeading({ t, title }, order)} mark={<Stamp fresh />}>
      {order.state === 'paid_late' || topUp ? (
        <p className="text-14 text-fg-2">{order.state === 'paid_late' ? t('done_late') : t('done_about', { amount: displayUsd(order.amount) })}</p>
      ) : null}
      <Receipt look="inline" label={t('receipt')} className="mt-1 w-full text-left">
        <PaidLines order={order} />
      </Receipt>
      <OrderNo orderNo={order.orderNo} />
      <div className="mt-2 flex w-full flex-wrap justify-center gap-3 mobile:[&>*]:flex-1">
        <Button size="lg" className="min-w-40" onClick={onDone}>
          {t('done')}
        </Button>
        <Link to="/orders/$orderNo" params={{ orderNo: order.orderNo }} onClick={onDone} className={getButtonClass('secondary', 'lg')}>
          {page('see_order')}
        </Link>
      </div>
    </DoneHeading>
  )
}

interface OverStepProps {
  readonly order: PaymentOrder
  readonly why: 'expired' | 'cancelled' | 'mismatch'
  /** Undefined if the dialog cannot reorder the item. */
  readonly onAgain: (() => void) | undefined
}

export function EndedStep({ order, why, onAgain }: OverStepProps) {
  const t = useTexts(paymentTexts)
  return (
    <DoneHeading title={t(OVER_TEXT[why])}>
      <p className="text-14 text-fg-2">{t(OVER_ABOUT_TEXT[why], { email: site.supportEmail })}</p>
      <OrderNo orderNo={order.orderNo} />
      {onAgain ? (
        <Button className="mt-2 mobile:w-full" onClick={onAgain}>
          {t('order_again')}
        </Button>
      ) : null}
    </DoneHeading>
  )
}
