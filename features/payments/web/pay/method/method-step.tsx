import { useState } from 'react'
import { countPayStep } from '#platform/web/calls/page-report.ts'
import type { PayAsk } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ChannelRow } from '../../../contract-shapes.ts'
import { figuresOf, figureTexts } from '../../../figures.ts'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { Notice } from '../../notice.tsx'
import { FigureLines } from '../../order-lines.tsx'
import { useOrderTitle } from '../../use-order-title.ts'
import { ChannelCards } from '../channel-cards.tsx'
import { firstMethod, methodKey } from './last-method.ts'
import { payDisplay } from '../pay-money.tsx'
import { useChannels, useMaintenance } from '../use-offer.ts'

interface MethodStepProps {
  readonly ask: PayAsk
  readonly busy: boolean
  readonly error: string | undefined
  readonly onPay: (amount: string, row: ChannelRow | undefined) => void
}

/** Chooses the payment method, with its fees; item and amount are fixed. */
export function MethodStep({ ask, busy, error, onPay }: MethodStepProps) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const title = useOrderTitle()
  const channels = useChannels(true, ask)
  const maintenance = useMaintenance(true).data
  const [key, setKey] = useState<string>()
  if (channels.isError) return <ErrorState error={channels.error} onRetry={() => void channels.refetch()} />
  if (!channels.data) return <Skeleton className="h-60" />
  const rows = channels.data
  const row = rows.find((each) => methodKey(each) === key && !each.disabled) ?? firstMethod(rows)
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
        <Notice tone="warning" title={t('maintenance_title')}>
          {maintenance.message}
        </Notice>
      ) : null}
      {pause?.isNow ? (
        <Notice tone="warning" title={page('paused_title')}>
          {page('pause_about', { from: pause.from, to: pause.to, resumes: pause.resumes })}
        </Notice>
      ) : null}
      {rows.length ? (
        <ChannelCards
          rows={rows}
          chosen={row}
          disabled={busy}
          onChoose={(next) => {
            setKey(methodKey(next))
            countPayStep('channel_chosen', next.channelType)
          }}
        />
      ) : (
        <Notice tone="warning">{t('no_methods')}</Notice>
      )}
      {row ? (
        <Receipt look="flat" label={t('receipt')}>
          <FigureLines amount={ask.amount} fees={row} rate={row.rate} currency={row.payCurrency} what={ask.what ?? title(ask.orderType)} />
        </Receipt>
      ) : null}
      <div role="alert" className="empty:-mt-5">
        {error ? <Notice tone="danger">{error}</Notice> : null}
      </div>
      <Button type="submit" size="lg" block loading={busy} disabled={!row || isClosed}>
        {row ? t('pay', { amount: payDisplay(figureTexts(figuresOf(ask.amount, row, row.rate)).payAmount, row.payCurrency) }) : t('pay_none')}
      </Button>
    </form>
  )
}
