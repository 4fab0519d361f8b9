import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { minorText, parseUsd, toMinorUnits } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { countPayStep } from '#platform/web/page-report.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ChannelRow } from '../contract.ts'
import { figuresOf, figureTexts } from '../figures.ts'
import { paymentTexts } from '../texts.ts'
import { cleanAmount, problemOf } from './amount.ts'
import { AmountField, amountOf } from './amount-field.tsx'
import type { Choice } from './amount-field.tsx'
import { ChannelCards } from './channel-cards.tsx'
import { firstMethod, methodKey } from './last-method.ts'
import { Notice } from './notice.tsx'
import { FigureLines } from './order-lines.tsx'
import { useChannels, useMaintenance, useQuote } from './use-offer.ts'
import { payDisplay } from './pay-money.tsx'

interface AmountStepProps {
  readonly busy: boolean
  readonly error: string | undefined
  readonly wished: string | undefined
  readonly onPay: (amount: string, row: ChannelRow) => void
  /** Above the amount: an order that waits. */
  readonly above?: ReactNode
}

/** How much, how, and what it costs: every figure that the order will freeze, before it exists. */
export function AmountStep(props: AmountStepProps) {
  const quote = useQuote(true)
  const channels = useChannels(true)
  const failed = quote.isError ? quote : channels.isError ? channels : undefined
  if (failed)
    return (
      <ErrorState
        error={failed.error}
        onRetry={() => {
          void quote.refetch()
          void channels.refetch()
        }}
      />
    )
  if (!quote.data || !channels.data) return <Waiting />
  return <Form {...props} rate={quote.data.rate} presets={quote.data.presets} bounds={quote.data} channels={channels.data} />
}

interface FormProps extends AmountStepProps {
  readonly rate: string
  readonly presets: readonly string[]
  readonly bounds: { readonly min: string; readonly max: string }
  readonly channels: readonly ChannelRow[]
}

function Form({ busy, error, wished, onPay, above, rate: quoted, presets, bounds, channels }: FormProps) {
  const t = useTexts(paymentTexts)
  const maintenance = useMaintenance(true).data
  const closed = maintenance?.closed.includes('recharge') ?? false
  const [choice, setChoice] = useState<Choice>(() => startChoice(wished, presets, bounds.min))
  const [key, setKey] = useState(() => methodKeyOf(firstMethod(channels)))
  const amount = amountOf(choice)
  const rows = channels.map((row) => (amount !== undefined && !problemOf(amount, bounds) && problemOf(amount, row) ? { ...row, disabled: true } : row))
  const row = rows.find((each) => methodKey(each) === key && !each.disabled) ?? firstMethod(rows)
  const problem = problemOf(amount, bounds)
  const ready = amount !== undefined && !problem && row !== undefined && !closed
  const fees = row ?? NO_FEES
  // Each channel has its own currency, and with it a rate.
  const { rate, payCurrency: currency } = row ?? { rate: quoted, payCurrency: 'CNY' as const }
  const choose = (next: ChannelRow) => {
    setKey(methodKey(next))
    countPayStep('channel_chosen', next.channelType)
  }
  const form = useRef<HTMLFormElement>(null)
  // the dialog was there before its fields: focus waits on the cross
  useEffect(() => {
    const inDialog = form.current?.closest('[role="dialog"]')?.contains(document.activeElement)
    if (inDialog && matchMedia('(pointer: fine)').matches) form.current?.querySelector<HTMLElement>('input:checked, input[type="text"]')?.focus()
  }, [])
  return (
    <form
      ref={form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!ready || busy) return
        countPayStep('payment_submitted', row.channelType)
        onPay(amount, row)
      }}
    >
      {above}
      {maintenance?.isMaintain ? (
        <Notice tone="warning" title={t('maintenance_title')}>
          {maintenance.message}
        </Notice>
      ) : null}
      <AmountField presets={presets} bounds={bounds} choice={choice} onChange={setChoice} disabled={busy} />
      {rows.length ? <ChannelCards rows={rows} chosen={row} onChoose={choose} disabled={busy} /> : <Notice tone="warning">{t('no_methods')}</Notice>}
      <Receipt look="flat" label={t('receipt')}>
        <FigureLines amount={amount !== undefined && parseUsd(amount) > 0n ? amount : '0'} fees={fees} rate={rate} currency={currency} />
      </Receipt>
      <div role="alert" className="empty:-mt-5">
        {error ? <Notice tone="danger">{error}</Notice> : null}
      </div>
      <div className="sticky -bottom-6 -mx-6 -mb-6 bg-surface px-6 pt-1 pb-6 mobile:-mx-5 mobile:px-5">
        <Button type="submit" size="lg" block loading={busy} disabled={!ready}>
          {ready ? t('pay', { amount: payDisplay(figureTexts(figuresOf(amount, fees, rate)).payAmount, currency) }) : t('pay_none')}
        </Button>
        <p className="mt-2 text-center text-12 text-fg-3">{t('recharge_about')}</p>
      </div>
    </form>
  )
}

const NO_FEES = { feePercent: '0', fixedFee: '0' }

const methodKeyOf = (row: ChannelRow | undefined) => (row ? methodKey(row) : '')

/** The amount asked for by the caller, in whole cents and not below the smallest; else the middle preset. */
function startChoice(wished: string | undefined, presets: readonly string[], min: string): Choice {
  if (wished === undefined) return { preset: presets[1] ?? presets[0], custom: '' }
  const cents = minorText(toMinorUnits(parseUsd(wished), '1.0'))
  const amount = cleanAmount(parseUsd(cents) < parseUsd(min) ? min : cents) ?? min
  return presets.includes(amount) ? { preset: amount, custom: '' } : { preset: undefined, custom: amount }
}

function Waiting() {
  return (
    <div className="grid gap-5" aria-busy="true">
      <div className="grid grid-cols-3 gap-2">
        {[1, 2, 3].map((n) => (
          <Skeleton key={n} className="h-14" />
        ))}
      </div>
      <Skeleton className="h-11" />
      <div className="grid grid-cols-2 gap-2">
        {[1, 2, 3, 4].map((n) => (
          <Skeleton key={n} className="h-14" />
        ))}
      </div>
      <Skeleton className="h-28" />
      <Skeleton className="h-12" />
    </div>
  )
}
