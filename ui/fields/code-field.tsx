import { OTPField } from '@base-ui/react/otp-field'
import { useId } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Field, type FieldProps } from './field.tsx'
import { uiTexts } from '../texts.ts'

interface CodeFieldProps extends FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Called when the last digit is entered. */
  readonly onComplete?: (value: string) => void
  readonly length?: number
  readonly disabled?: boolean
  /** Masks digits and disables autofill: for a payment password. */
  readonly secret?: boolean
}

/** Chinese keyboards type full-width digits; codes pasted from mails and messages contain spaces and dashes. */
function digits(text: string): string {
  return text.normalize('NFKC').replace(/[^0-9]/g, '')
}

/** Digits only; paste and SMS or mail autofill work across the boxes. */
export function CodeField({ value, onChange, onComplete, length = 6, disabled, secret, ...field }: CodeFieldProps) {
  const t = useTexts(uiTexts)
  const id = useId()
  return (
    <Field id={id} {...field}>
      <OTPField.Root
        id={id}
        length={length}
        value={value}
        onValueChange={onChange}
        onValueComplete={(code) => onComplete?.(code)}
        disabled={disabled}
        inputMode="numeric"
        validationType="none"
        normalizeValue={digits}
        mask={secret}
        autoComplete={secret ? 'off' : 'one-time-code'}
        className="grid grid-cols-6 gap-2"
      >
        {Array.from({ length }, (_, index) => (
          <OTPField.Input
            key={index}
            aria-label={index ? t('codeDigit', { n: index + 1, total: length }) : undefined}
            aria-invalid={field.error ? true : undefined}
            aria-describedby={field.error || field.hint ? `${id}-note` : undefined}
            className="input num min-w-0 px-0 text-center text-18 font-semibold"
          />
        ))}
      </OTPField.Root>
    </Field>
  )
}
