import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { cleanAmount, isTypable, plainAmount, problemOf } from '../pay/amount.ts'
import { Step } from './step.tsx'
import type { WithdrawQuote } from './use-withdraw.ts'

interface HowMuchProps {
  readonly quote: WithdrawQuote
  readonly typed: string
  readonly onType: (text: string) => void
  readonly onNext: (amount: string) => void
}

/** The first question: how much of what can be withdrawn. Nothing is filled in that one did not ask for. */
export function HowMuch({ quote, typed, onType, onNext }: HowMuchProps) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const [asked, setAsked] = useState(false)
  const bounds = { min: quote.min, max: quote.withdrawable }
  const amount = cleanAmount(typed)
  const problem = problemOf(amount, bounds)
  const note = quote.granted === '0' ? 'withdraw_balance' : 'withdraw_balance_granted'
  return (
    <Step
      title={t('step_amount')}
      next={t('step_next')}
      onNext={() => {
        setAsked(true)
        if (amount !== undefined && !problem) onNext(amount)
      }}
    >
      <div>
        <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
        <p className="num text-28 font-semibold">{usdDisplay(quote.withdrawable)}</p>
        <p className="mt-0.5 text-13 text-fg-3">
          {t(note, { balance: usdDisplay(quote.balance), granted: usdDisplay(quote.granted), keep: usdDisplay(quote.keep) })}
        </p>
      </div>
      <TextField
        label={t('withdraw_amount')}
        aside={
          <button type="button" className="link text-13" onClick={() => onType(quote.withdrawable)}>
            {t('withdraw_all')}
          </button>
        }
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={typed}
        hint={t('withdraw_left', { day: usdDisplay(quote.dayLeft), month: usdDisplay(quote.monthLeft) })}
        error={asked && problem ? pages(problem, { min: usdDisplay(bounds.min), max: usdDisplay(bounds.max) }) : undefined}
        onChange={(event) => {
          const text = plainAmount(event.target.value)
          if (isTypable(text, bounds)) onType(text)
        }}
      />
    </Step>
  )
}
