import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { askPayPassword } from '#platform/web/ask-pay-password.ts'
import { isApiError } from '#platform/web/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { timeDisplay } from '#platform/web/time.tsx'
import { parseUsd } from '#platform/shared/money.ts'
import { Button } from '#ui/button.tsx'
import { Receipt } from '#ui/receipt.tsx'
import { TextField } from '#ui/text-field.tsx'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { cleanAmount, isTypable, plainAmount, problemOf } from '../amount.ts'
import { Notice } from '../notice.tsx'
import { withdrawApi } from '../pages-api.ts'
import { isPayee, NO_PAYEE, PayeeFields } from './payee-fields.tsx'
import { useLater } from './use-later.ts'
import { useWithdrawQuote, WITHDRAWALS } from './use-withdraw.ts'
import type { WithdrawQuote } from './use-withdraw.ts'
import { WaysOut } from './ways-out.tsx'

/** Long enough not to ask with every digit. */
const PAUSE_MS = 300
const ALL_FIELDS = ['amount', 'alipayIdentity', 'alipayRealName', 'identityNumber']

export function WithdrawForm({
  quote,
  onMade,
}: {
  readonly quote: WithdrawQuote
  readonly onMade: (row: WithdrawalRow, plan: WithdrawQuote | undefined) => void
}) {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  const cache = useQueryClient()
  const form = useRef<HTMLFormElement>(null)
  const bounds = { min: quote.min, max: quote.withdrawable }
  const [typed, setTyped] = useState(quote.withdrawable)
  const [payee, setPayee] = useState(NO_PAYEE)
  const [isOther, setOther] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const amount = cleanAmount(typed)
  const problem = problemOf(amount, bounds)
  const wished = problem ? undefined : amount
  const settled = useLater(wished, PAUSE_MS)
  const priced = useWithdrawQuote(true, settled)
  // Figures of another amount are not shown beside this one.
  const shown = settled === wished && !priced.isPlaceholderData ? priced.data : undefined
  const asksPayee = quote.account === null || isOther
  const needsReview = !problem && amount !== undefined && parseUsd(amount) > parseUsd(quote.approvalAbove)
  const leave = (name: string) => setLeft((old) => new Set([...old, name]))

  const send = async () => {
    setLeft(new Set(ALL_FIELDS))
    if (busy) return
    if (amount === undefined || problem || (asksPayee && !isPayee(payee))) {
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    setFailure(undefined)
    setBusy(true)
    try {
      const payPassword = await askPayPassword()
      if (payPassword === undefined) return
      const row = await withdrawApi.balanceRefund({ amount, payPassword, ...(asksPayee ? payee : {}) })
      onMade(row, shown)
    } catch (error) {
      setFailure(isApiError(error) ? error.message : p('openFailed'))
    } finally {
      setBusy(false)
      void cache.invalidateQueries({ queryKey: [...WITHDRAWALS] })
      void cache.invalidateQueries({ queryKey: ['wallet'] })
    }
  }
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <div>
        <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
        <p className="num text-28 font-semibold">{usdDisplay(quote.withdrawable)}</p>
        <p className="mt-0.5 text-13 text-fg-3">
          {t('withdraw_balance', { balance: usdDisplay(quote.balance), granted: usdDisplay(quote.granted), keep: usdDisplay(quote.keep) })}
        </p>
      </div>
      <TextField
        label={t('withdraw_amount')}
        aside={
          <button type="button" className="link text-13" disabled={busy} onClick={() => setTyped(quote.withdrawable)}>
            {t('withdraw_all')}
          </button>
        }
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={typed}
        disabled={busy}
        hint={t('withdraw_left', { day: usdDisplay(quote.dayLeft), month: usdDisplay(quote.monthLeft) })}
        error={left.has('amount') && problem ? t(problem, { min: usdDisplay(bounds.min), max: usdDisplay(bounds.max) }) : undefined}
        onChange={(event) => {
          const text = plainAmount(event.target.value)
          if (isTypable(text, bounds)) setTyped(text)
        }}
        onBlur={() => leave('amount')}
      />
      {quote.account && !isOther ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line px-4 py-3">
          <div className="min-w-0">
            <p className="text-12 text-fg-3">{t('withdraw_saved')}</p>
            <p className="num text-14 whitespace-normal">
              {quote.account.alipay} · {quote.account.name}
            </p>
          </div>
          <Button variant="ghost" size="sm" disabled={busy} onClick={() => setOther(true)}>
            {t('withdraw_change')}
          </Button>
        </div>
      ) : (
        <fieldset className="grid gap-4">
          <legend className="mb-3 flex w-full items-baseline justify-between gap-3 text-14 font-semibold">
            {t('withdraw_to')}
            {quote.account ? (
              <button type="button" className="link text-13 font-normal" onClick={() => setOther(false)}>
                {t('withdraw_keep_account')}
              </button>
            ) : null}
          </legend>
          <PayeeFields payee={payee} onChange={setPayee} left={left} onLeave={leave} disabled={busy} />
          {isOther ? <Notice tone="info">{t('withdraw_cool')}</Notice> : null}
        </fieldset>
      )}
      {quote.coolOffUntil && !isOther ? <Notice tone="info">{t('withdraw_cool_until', { time: timeDisplay(quote.coolOffUntil) })}</Notice> : null}
      {needsReview ? <Notice tone="info">{t('withdraw_review', { amount: usdDisplay(quote.approvalAbove) })}</Notice> : null}
      <Receipt look="flat" label={t('slip')}>
        {wished === undefined || !shown ? (
          <WaysOut amount={wished ?? '0'} rate={quote.rate} payAmount={null} waiting={wished !== undefined} />
        ) : (
          <WaysOut amount={wished} rate={shown.rate} payAmount={shown.payAmount} parts={shown.parts} transfer={shown.transfer} />
        )}
      </Receipt>
      <div role="alert" className="empty:-mt-5">
        {failure ? <Notice tone="danger">{failure}</Notice> : null}
      </div>
      <div className="sticky -bottom-6 -mx-6 -mb-6 bg-surface px-6 pt-2 pb-6 mobile:-mx-5 mobile:px-5">
        <Button type="submit" size="lg" block loading={busy}>
          {wished === undefined ? t('withdraw') : t('withdraw_next', { amount: usdDisplay(wished) })}
        </Button>
        <p className="mt-2 text-center text-12 text-fg-3">{t('arrives_in')}</p>
      </div>
    </form>
  )
}
