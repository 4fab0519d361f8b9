import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PAY_PASSWORD_LENGTH } from '../../contract.ts'
import { parseWirePhone } from '../../phone.ts'
import { securityTexts } from '../../texts-security.ts'
import type { Me } from '../use-me.ts'
import { PayBoxes } from './pay-boxes.tsx'

/** Checks for equal digits or a run up or down, which the server would refuse too. */
export function isPlainDigits(digits: string): boolean {
  const steps = [...digits].slice(1).map((digit, index) => Number(digit) - Number(digits[index]))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}

interface TwiceSixDigitsProps {
  readonly me?: Me
  /** Reason why the server refused the last password. */
  readonly refused: string | undefined
  /** The work started by `onDone` is still running. */
  readonly busy?: boolean
  readonly onDone: (password: string) => void
}

/** Asks for a new payment password twice; the button is enabled at six digits. */
export function TwiceSixDigits({ me, refused, busy = false, onDone }: TwiceSixDigitsProps) {
  const t = useTexts(securityTexts)
  const [first, setFirst] = useState<string>()
  const [value, setValue] = useState('')
  const [error, setError] = useState(refused)
  const tail = parseWirePhone(me?.mobile ?? '')?.national.slice(-PAY_PASSWORD_LENGTH)
  const go = (digits: string) => {
    // keep the digits, so that a failed call can be retried without typing them again
    if (digits === first) return onDone(digits)
    setValue('')
    if (first === undefined) {
      if (isPlainDigits(digits) || digits === tail) return setError(t('pay_weak'))
      setError(undefined)
      return setFirst(digits)
    }
    setFirst(undefined)
    setError(t('inputCorrectCodeTips2'))
  }
  const isWhole = value.length === PAY_PASSWORD_LENGTH
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole) go(value)
        else setError(t('inputCorrectCodeTips'))
      }}
    >
      <PayBoxes
        key={first === undefined ? `new ${error ?? ''}` : 'again'}
        label={t(first === undefined ? 'pay_new' : 'pay_again')}
        value={value}
        onChange={(next) => {
          setValue(next)
          if (next && first !== undefined) setError(undefined)
        }}
        error={error}
        hint={first === undefined ? t('pay_new_hint') : undefined}
      />
      <Button type="submit" size="lg" block loading={busy} disabled={!isWhole}>
        {t(first === undefined ? 'pay_next' : 'pay_confirm')}
      </Button>
    </form>
  )
}
