import { useState } from 'react'
import { countPayStep } from '#platform/web/calls/page-report.ts'
import type { PurchaseRequest } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ChannelRow } from '../../../contract-shapes.ts'
import { computePriceFigures, formatFigures } from '../../../figures.ts'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { PaymentsNotice } from '../../notice.tsx'
import { FigureLines } from '../../order-lines.tsx'
import { usePaymentOrderTitle } from '../../use-order-title.ts'
import { ChannelCards } from '../channel-cards.tsx'
import { chooseFirstMethod, channelMethodKey } from './last-method.ts'
import { payDisplay } from '../pay-money.tsx'
import { useChannels, usePaymentMaintenance } from '../use-offer.ts'

interface MethodStepProps {
  readonly ask: PurchaseRequest
  readonly busy: boolean
  readonly error: string | undefined
  readonly onPay: (amount: string, row: ChannelRow | undefined) => void
}

/** Chooses the payment method, with its fees; item and amount are fixed. */
export function PayMethodStep({ ask, busy, error, onPay }: MethodStepProps) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const title = usePaymentOrderTitle()
  const channels = useChannels(true, ask)
  const maintenance = usePaymentMaintenance(true).data
  const [key, setKey] = useState<string>()
  if (channels.isError) return <ErrorState error={channels.error} onRetry={() => void channels.refetch()} />
  if (!channels.data) return <Skeleton className="h-60" />
  const rows = channels.data
  const row = rows.find((each) => channelMethodKey(each) === key && !each.disabled) ?? chooseFirstMethod(rows)
  const pause = maintenance?.rechargePause
  const isClosed = (maintenance?.closed.includes('recharge') ?? false) || pause?.isNow === true
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!row || busy || isClosed) return
        countPayStep('payment_submitted', row.channelType)
        onPay(ask.amount, row)
      }}
    >
      {maintenance?.isMaintain ? (
        <PaymentsNotice tone="warning" title={t('maintenance_title')}>
          {maintenance.message}
        </PaymentsNotice>
      ) : null}
      {pause?.isNow ? (
        <PaymentsNotice tone="warning" title={page('paused_title')}>
          {page('pause_about', { from: pause.from, to: pause.to, resumes: pause.resumes })}
        </PaymentsNotice>
      ) : null}
      {rows.length ? (
        <ChannelCards
          rows={rows}
          chosen={row}
          disabled={busy}
          onChoose={(next) => {
            setKey(channelMethodKey(next))
            countPayStep('channel_chosen', next.channelType)
          }}
        />
      ) : (
        <PaymentsNotice tone="warning">{t('no_methods')}</PaymentsNotice>
      )}
      {row ? (
        <Receipt look="flat" label={t('receipt')}>
          <FigureLines amount={ask.amount} fees={row} rate={row.rate} currency={row.payCurrency} what={ask.what ?? title(ask.orderType)} />
        </Receipt>
      ) : null}
      <div role="alert" className="empty:-mt-5">
        {error ? <PaymentsNotice tone="danger">{error}</PaymentsNotice> : null}
      </div>
      <Button type="submit" size="lg" block loading={busy} disabled={!row || isClosed}>
        {row
          ? t('pay', { amount: payDisplay(formatFigures(computePriceFigures(ask.amount, row, { rate: row.rate })).payAmount, row.payCurrency) })
          : t('pay_none')}
      </Button>
    </form>
  )
}
