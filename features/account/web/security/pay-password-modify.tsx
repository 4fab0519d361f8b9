import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { PAY_PASSWORD_LENGTH, PAY_PASSWORD_TRIES } from '../../contract.ts'
import { PAY_RESULT } from '../../contract-pay-password.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/submit-button.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { payPasswordApi } from './api.ts'
import { PayBoxes } from './pay-boxes.tsx'
import type { PayMode } from './pay-mode.ts'
import { setPayResetNeeded } from './pay-reset-flag.ts'
import { StepsLine } from './steps-line.tsx'
import { TwiceSixDigits } from './twice-six-digits.tsx'

interface ModifyPayPasswordProps {
  readonly onMode: (mode: PayMode) => void
  readonly onDone: (password: string) => void
}

/** Old password, then the new one twice; the server compares at the end, so that an attempt is counted once. */
export function ModifyPayPassword({ onMode, onDone }: ModifyPayPasswordProps) {
  const t = useTexts(securityTexts)
  const [old, setOld] = useState<string>()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [weak, setWeak] = useState<string>()
  // each refusal clears the boxes, so that a second equal one is noticed too
  const [turn, setTurn] = useState(0)
  const submit = useSubmit()
  const change = (oldPassword: string, password: string) =>
    submit.run(async () => {
      const again = (message: string) => {
        setOld(undefined)
        setTyped('')
        setError(message)
      }
      try {
        const { resultType, failCount } = await payPasswordApi.modifyPayPassword({ oldPassword, password })
        if (resultType === PAY_RESULT.wrong) return again(t('pay_wrong', { left: PAY_PASSWORD_TRIES - failCount }))
        if (resultType === PAY_RESULT.notSet) return onMode('set')
        if (resultType === PAY_RESULT.limitExceeded) {
          setPayResetNeeded(true)
          toast.warning(t('pay_limit'))
          return onMode('reset')
        }
      } catch (failure) {
        if (!isApiError(failure) || failure.errorName !== 'PAY_PASSWORD_WEAK') throw failure
        setTurn((last) => last + 1)
        return setWeak(failure.message)
      }
      toast.success(t('pay_done_modify'))
      onDone(password)
    })
  const names = [t('pay_step_old'), t('pay_step_new')]
  if (old !== undefined)
    return (
      <>
        <StepsLine at={2} names={names} />
        <TwiceSixDigits key={turn} refused={weak} busy={submit.isRunning} onDone={(password) => void change(old, password)} />
        <div className="mt-4">
          <FormError message={submit.failure?.message} />
        </div>
      </>
    )
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed.length === PAY_PASSWORD_LENGTH) setOld(typed)
        else setError(t('inputCorrectCodeTips'))
      }}
    >
      <StepsLine at={1} names={names} />
      <PayBoxes
        label={t('pay_old')}
        value={typed}
        onChange={(next) => {
          setTyped(next)
          if (next) setError(undefined)
        }}
        onComplete={setOld}
        error={error}
      />
      <Button type="submit" size="lg" block disabled={typed.length < PAY_PASSWORD_LENGTH}>
        {t('pay_next')}
      </Button>
      <button type="button" className="link mx-auto text-14 mobile:min-h-11" onClick={() => onMode('reset')}>
        {t('pay_forgot')}
      </button>
    </form>
  )
}
