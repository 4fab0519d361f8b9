import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { paymentTexts } from '../../texts.ts'
import { cleanAmount, isTypable, normalizeAmount, findAmountProblem } from './amount.ts'
import type { AmountBounds } from './amount.ts'

export interface AmountChoice {
  readonly preset: string | undefined
  readonly custom: string
}

interface AmountFieldProps {
  readonly presets: readonly string[]
  readonly bounds: AmountBounds
  readonly choice: AmountChoice
  readonly onChange: (choice: AmountChoice) => void
  readonly disabled?: boolean
}

export function resolveAmount({ preset, custom }: AmountChoice): string | undefined {
  return preset ?? cleanAmount(custom)
}

/** Presets or a custom amount, never both: choosing one clears the other (product.md 2.5). */
export function RechargeAmountField({ presets, bounds, choice, onChange, disabled }: AmountFieldProps) {
  const t = useTexts(paymentTexts)
  const [left, setLeft] = useState(false)
  const problem = choice.preset === undefined && left ? findAmountProblem(cleanAmount(choice.custom), bounds) : undefined
  const values = { min: bounds.min, max: bounds.max }
  return (
    <fieldset disabled={disabled} className="grid gap-4">
      <div role="radiogroup" aria-label={t('presets')} className="grid grid-cols-3 gap-2">
        {presets.map((preset) => {
          const checked = choice.preset === preset
          return (
            <label
              key={preset}
              className={`flex min-h-14 cursor-pointer items-center justify-center rounded-control border has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${checked ? 'border-brand bg-brand-soft text-brand-text' : 'border-control hover:border-fg-3'}`}
            >
              <input
                type="radio"
                name="recharge-preset"
                className="sr-only"
                checked={checked}
                onChange={() => {
                  setLeft(false)
                  onChange({ preset, custom: '' })
                }}
              />
              <span className="num text-18 font-semibold">{displayUsd(preset, preset.includes('.') ? 2 : 0)}</span>
            </label>
          )
        })}
      </div>
      <TextField
        label={t('custom')}
        inputMode="decimal"
        autoComplete="off"
        className="num"
        value={choice.custom}
        hint={t('custom_hint', values)}
        error={problem ? t(problem, values) : undefined}
        onChange={(event) => {
          const text = normalizeAmount(event.target.value)
          if (isTypable(text, bounds)) onChange({ preset: undefined, custom: text })
        }}
        onFocus={() => setLeft(false)}
        onBlur={() => setLeft(choice.preset === undefined && choice.custom !== '')}
      />
    </fieldset>
  )
}
