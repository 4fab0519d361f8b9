import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { formatMinor, parseUsd, toMinorUnits } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { countPayStep } from '#platform/web/calls/page-report.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { paymentsContract } from '../../../contract.ts'
import type { ChannelRow } from '../../../contract-shapes.ts'
import { capDiscount, computePriceFigures, formatFigures } from '../../../figures.ts'
import { paymentTexts } from '../../../texts.ts'
import { pageTexts } from '../../../texts-pages.ts'
import { cleanAmount, findAmountProblem } from '../amount.ts'
import { RechargeAmountField, resolveAmount } from '../amount-field.tsx'
import type { AmountChoice } from '../amount-field.tsx'
import { ChannelCards } from '../channel-cards.tsx'
import { chooseFirstMethod, channelMethodKey } from '../method/last-method.ts'
import { PaymentsNotice } from '../../notice.tsx'
import { FigureLines } from '../../order-lines.tsx'
import { useChannels, usePaymentMaintenance, useQuote } from '../use-offer.ts'
import { payDisplay } from '../pay-money.tsx'

interface AmountStepProps {
  readonly busy: boolean
  readonly error: string | undefined
  readonly wished: string | undefined
  readonly onPay: (amount: string, row: ChannelRow | undefined) => void
  /** Shown above the amount: an unfinished order. */
  readonly above?: ReactNode
}

/** Amount, method and price: every figure that the order will freeze, before it exists. */
export function AmountStep(props: AmountStepProps) {
  const quote = useQuote(true)
  const channels = useChannels(true)
  if (quote.isError)
    return (
      <ErrorState
        error={quote.error}
        onRetry={() => {
          void quote.refetch()
          void channels.refetch()
        }}
      />
    )
  if (!quote.data || (!channels.data && !channels.isError)) return <Waiting />
  const retry = () => void channels.refetch()
  return <Form {...props} quoted={quote.data} channels={channels.data} onRetry={retry} retrying={channels.isFetching} />
}

interface FormProps extends AmountStepProps {
  readonly quoted: ReplyOf<typeof paymentsContract.quote>
  /** Undefined if the list did not load: the order then uses the server's default method, whose terms the quote shows. */
  readonly channels: readonly ChannelRow[] | undefined
  readonly onRetry: () => void
  readonly retrying: boolean
}

function Form({ busy, error, wished, onPay, above, quoted, channels: loaded, onRetry, retrying }: FormProps) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const channels = loaded ?? []
  const { presets } = quoted
  const bounds = { min: quoted.min, max: quoted.max }
  const maintenance = usePaymentMaintenance(true).data
  const closed = (maintenance?.closed.includes('recharge') ?? false) || maintenance?.rechargePause?.isNow === true
  const [choice, setChoice] = useState<AmountChoice>(() => startChoice(wished, presets, bounds.min))
  const [key, setKey] = useState(() => methodKeyOf(chooseFirstMethod(channels)))
  const amount = resolveAmount(choice)
  const rows = channels.map((row) =>
    amount !== undefined && !findAmountProblem(amount, bounds) && findAmountProblem(amount, row) ? { ...row, disabled: true } : row,
  )
  const row = rows.find((each) => channelMethodKey(each) === key && !each.disabled) ?? chooseFirstMethod(rows)
  const problem = findAmountProblem(amount, bounds)
  const ready = amount !== undefined && !problem && (row !== undefined || !loaded) && !closed
  const fees = row ?? quoted
  const discount = capDiscount(amount ?? '0', parseUsd((row ?? quoted).discount ?? '0'))
  // Each channel has its own currency and rate.
  const { rate, payCurrency: currency } = row ?? quoted
  const choose = (next: ChannelRow) => {
    setKey(channelMethodKey(next))
    countPayStep('channel_chosen', next.channelType)
  }
  const form = useRef<HTMLFormElement>(null)
  // The dialog opens before its fields exist, so the focus is on the close button.
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
        countPayStep('payment_submitted', (row ?? quoted).channelType)
        onPay(amount, row)
      }}
    >
      {above}
      <Pauses maintenance={maintenance} />
      <RechargeAmountField presets={presets} bounds={bounds} choice={choice} onChange={setChoice} disabled={busy} />
      {loaded ? (
        rows.length ? (
          <ChannelCards rows={rows} chosen={row} onChoose={choose} disabled={busy} />
        ) : (
          <PaymentsNotice tone="warning">{t('no_methods')}</PaymentsNotice>
        )
      ) : (
        <PaymentsNotice tone="info" title={page('default_way')}>
          {page('default_way_about')}{' '}
          <Button size="sm" variant="ghost" loading={retrying} onClick={onRetry}>
            {t('open_again')}
          </Button>
        </PaymentsNotice>
      )}
      <Receipt look="flat" label={t('receipt')}>
        <FigureLines
          amount={amount !== undefined && parseUsd(amount) > 0n ? amount : '0'}
          isMissed={(row ?? quoted).discount === undefined && rows.some((each) => each.discount !== undefined)}
          {...{ fees, rate, currency, discount }}
        />
      </Receipt>
      <div role="alert" className="empty:-mt-5">
        {error ? <PaymentsNotice tone="danger">{error}</PaymentsNotice> : null}
      </div>
      <div className="sticky -bottom-6 -mx-6 -mb-6 bg-surface px-6 pt-1 pb-6 mobile:-mx-5 mobile:px-5">
        <Button type="submit" size="lg" block loading={busy} disabled={!ready}>
          {ready ? t('pay', { amount: payDisplay(formatFigures(computePriceFigures(amount, fees, { rate, discount })).payAmount, currency) }) : t('pay_none')}
        </Button>
        <p className="mt-2 text-center text-12 text-fg-3">{t('recharge_about')}</p>
      </div>
    </form>
  )
}

const methodKeyOf = (row: ChannelRow | undefined) => (row ? channelMethodKey(row) : '')

/** The amount requested by the caller, in whole cents and not below the minimum; else the middle preset. */
function startChoice(wished: string | undefined, presets: readonly string[], min: string): AmountChoice {
  if (wished === undefined) return { preset: presets[1] ?? presets[0], custom: '' }
  const cents = formatMinor(toMinorUnits(parseUsd(wished), '1.0'))
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

/** Notices about current and announced closures. */
function Pauses({ maintenance }: { readonly maintenance: ReturnType<typeof usePaymentMaintenance>['data'] }) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const pause = maintenance?.rechargePause
  return (
    <>
      {maintenance?.isMaintain ? (
        <PaymentsNotice tone="warning" title={t('maintenance_title')}>
          {maintenance.message}
        </PaymentsNotice>
      ) : null}
      {pause ? (
        <PaymentsNotice tone={pause.isNow ? 'warning' : 'info'} title={page(pause.isNow ? 'paused_title' : 'pause_soon_title')}>
          {page('pause_about', { from: pause.from, to: pause.to, resumes: pause.resumes })}
        </PaymentsNotice>
      ) : null}
    </>
  )
}
