import { useState, type ReactNode } from 'react'
import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { cardTexts } from '../../texts.ts'
import { parseCardAmount, findCardAmountProblem, cleanTypedAmount } from './figures.ts'

interface AmountFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly bounds: { readonly min: string; readonly max: string }
  readonly presets?: readonly string[]
  readonly aside?: ReactNode
  readonly disabled?: boolean
}

/** Field for one amount: presets fill it, and it shows its limits. */
export function CardAmountField({ label, value, onChange, bounds, presets = [], aside, disabled = false }: AmountFieldProps) {
  const t = useTexts(cardTexts)
  const [left, setLeft] = useState(false)
  const amount = parseCardAmount(value)
  const problem =
    left && value !== ''
      ? amount === undefined
        ? 'notAnAmount'
        : findCardAmountProblem(amount, bounds)
      : findCardAmountProblem(amount, bounds) === 'tooLarge'
        ? 'tooLarge'
        : undefined
  const limits = { min: displayUsd(bounds.min), max: displayUsd(bounds.max) }
  return (
    <fieldset disabled={disabled} className="grid gap-3">
      {presets.length ? (
        <div role="group" aria-label={t('presets')} className="grid grid-cols-3 gap-2">
          {presets.slice(0, 3).map((preset) => (
            <button
              key={preset}
              type="button"
              aria-pressed={amount !== undefined && parseUsd(amount) === parseUsd(preset)}
              onClick={() => onChange(preset)}
              className="num min-h-12 rounded-control border border-control text-16 font-semibold hover:border-fg-3 aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text"
            >
              {displayUsd(preset, preset.includes('.') ? 2 : 0)}
            </button>
          ))}
        </div>
      ) : null}
      <TextField
        label={label}
        aside={aside}
        inputMode="decimal"
        autoComplete="off"
        className="num !pl-8"
        prefix="$"
        value={value}
        hint={t('amountBounds', limits)}
        error={problem ? t(problem, limits) : undefined}
        onChange={(event) => {
          const text = cleanTypedAmount(event.target.value)
          if (text !== undefined) onChange(text)
        }}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(true)}
      />
    </fieldset>
  )
}
