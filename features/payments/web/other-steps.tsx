import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { site } from '#platform/web/site.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { ChannelRow, Order } from '../contract.ts'
import { paymentTexts } from '../texts.ts'
import { ChannelCards } from './channel-cards.tsx'
import { firstMethod, methodKey } from './last-method.ts'
import { Notice } from './notice.tsx'
import { OrderNo, PaidLines } from './order-lines.tsx'
import type { PaidOrder, PayState } from './pay-machine.ts'
import { payDisplay } from './pay-money.tsx'
import type { Pay } from './use-pay.ts'
import { useChannels } from './use-offer.ts'

/** Another way for the same order. A method with another fee or currency needs a new order: the old one's figures are frozen. */
export function ChooseStep({ state, pay }: { readonly state: Extract<PayState, { step: 'choosing' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  const channels = useChannels(true)
  const [key, setKey] = useState(methodKey(state.method))
  if (channels.isError) return <ErrorState error={channels.error} onRetry={() => void channels.refetch()} />
  if (!channels.data) return <Skeleton className="h-32" />
  const row: ChannelRow | undefined = channels.data.find((each) => methodKey(each) === key && !each.disabled) ?? firstMethod(channels.data)
  const otherCurrency = row !== undefined && row.payCurrency !== state.order.payCurrency
  const otherFee = row !== undefined && row.channelType !== state.order.channelType && row.feePercent !== state.order.feePercent
  return (
    <div className="grid gap-4">
      <div role="alert" className="empty:-mt-4">
        {state.error ? <Notice tone="warning">{state.error}</Notice> : null}
      </div>
      <ChannelCards rows={channels.data} chosen={row} onChoose={(next) => setKey(methodKey(next))} />
      {otherCurrency ? (
        <Notice tone="info">{t('other_currency', { currency: row.payCurrency })}</Notice>
      ) : otherFee ? (
        <Notice tone="info">{t('other_fee', { percent: row.feePercent })}</Notice>
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

/** Nobody knows yet: not a failure, and said so. */
export function UnknownStep({ state, pay }: { readonly state: Extract<PayState, { step: 'unknown' }>; readonly pay: Pay }) {
  const t = useTexts(paymentTexts)
  return (
    <Heading title={t('unknown_title')} mark={<span className="spinner inline-block text-28 text-brand" aria-hidden="true" />}>
      <p className="text-14 text-fg-2">{t('unknown_about')}</p>
      <OrderNo orderNo={state.order.orderNo} />
      <div className="mt-2 flex flex-wrap gap-3">
        <Button onClick={() => void pay.open(state.order, state.method)}>{t('open_again')}</Button>
        <Button variant="secondary" onClick={pay.changeMethod}>
          {t('change_method')}
        </Button>
      </div>
    </Heading>
  )
}

/** The stamp, then what it stands for, to the cent. */
export function DoneStep({ order, onDone }: { readonly order: PaidOrder; readonly onDone: () => void }) {
  const t = useTexts(paymentTexts)
  return (
    <Heading title={t('done_title')} mark={<Stamp fresh />}>
      <p className="text-14 text-fg-2">{order.state === 'paid_late' ? t('done_late') : t('done_about', { amount: usdDisplay(order.amount) })}</p>
      <Receipt look="inline" label={t('receipt')} className="mt-1 w-full text-left">
        <PaidLines order={order} />
      </Receipt>
      <OrderNo orderNo={order.orderNo} />
      <Button size="lg" className="mt-2 min-w-40 mobile:w-full" onClick={onDone}>
        {t('done')}
      </Button>
    </Heading>
  )
}

export function OverStep({ order, why, onAgain }: { readonly order: Order; readonly why: 'expired' | 'cancelled' | 'mismatch'; readonly onAgain: () => void }) {
  const t = useTexts(paymentTexts)
  return (
    <Heading title={t(`over_${why}`)}>
      <p className="text-14 text-fg-2">{t(`over_${why}_about`, { email: site.supportEmail })}</p>
      <OrderNo orderNo={order.orderNo} />
      <Button className="mt-2 mobile:w-full" onClick={onAgain}>
        {t('order_again')}
      </Button>
    </Heading>
  )
}

/** Focus goes to the heading, so that a change of step is heard. */
function Heading({ title, mark, children }: { readonly title: string; readonly mark?: ReactNode; readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
  }, [])
  return (
    <div className="flex flex-col items-center gap-3 pt-2 pb-2 text-center">
      {mark ? <div className="py-2">{mark}</div> : null}
      <h3 ref={heading} tabIndex={-1} className="text-20 font-bold outline-none">
        {title}
      </h3>
      {children}
    </div>
  )
}
