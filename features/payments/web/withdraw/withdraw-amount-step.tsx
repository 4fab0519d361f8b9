import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { cleanAmount, isTypable, normalizeAmount, findAmountProblem } from '../pay/amount.ts'
import { WithdrawStep } from './step.tsx'
import type { WithdrawQuote } from './use-withdraw.ts'

interface HowMuchProps {
  readonly quote: WithdrawQuote
  readonly typed: string
  readonly onType: (text: string) => void
  readonly onNext: (amount: string) => void
}

/** The first question: how much of what can be withdrawn. Nothing is filled in that one did not ask for. */
export function WithdrawAmountStep({ quote, typed, onType, onNext }: HowMuchProps) {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const [asked, setAsked] = useState(false)
  const bounds = { min: quote.min, max: quote.withdrawable }
  const amount = cleanAmount(typed)
  const problem = findAmountProblem(amount, bounds)
  const note = quote.granted === '0' ? 'withdraw_balance' : 'withdraw_balance_granted'
  return (
    <WithdrawStep
      title={t('step_amount')}
      next={t('step_next')}
      onNext={() => {
        setAsked(true)
        if (amount !== undefined && !problem) onNext(amount)
      }}
    >
      <div>
        <p className="text-13 text-fg-2">{t('withdraw_can')}</p>
        <p className="num text-28 font-semibold">{displayUsd(quote.withdrawable)}</p>
        <p className="mt-0.5 text-13 text-fg-3">
          {t(note, { balance: displayUsd(quote.balance), granted: displayUsd(quote.granted), keep: displayUsd(quote.keep) })}
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
        hint={t('withdraw_left', { day: displayUsd(quote.dayLeft), month: displayUsd(quote.monthLeft) })}
        error={asked && problem ? pages(problem, { min: displayUsd(bounds.min), max: displayUsd(bounds.max) }) : undefined}
        onChange={(event) => {
          const text = normalizeAmount(event.target.value)
          if (isTypable(text, bounds)) onType(text)
        }}
      />
    </WithdrawStep>
  )
}
