import { useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useFirstWrong } from '#platform/web/use-first-wrong.ts'
import { toast } from '#ui/layers/toast.ts'
import { PAY_PASSWORD_TRIES } from '../../contract.ts'
import { PAY_RESULT } from '../../contract-pay-password.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/form-error.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { payPasswordApi } from './api.ts'
import { PayBoxes } from './pay-boxes.tsx'
import type { PayMode } from './pay-mode.ts'
import { setPayResetNeeded } from './pay-reset-flag.ts'

interface AskPayPasswordProps {
  readonly onRight: (password: string) => void
  readonly onMode: (mode: PayMode) => void
}

/** Checked when the sixth digit is in; says how many tries are left. */
export function AskPayPassword({ onRight, onMode }: AskPayPasswordProps) {
  const t = useTexts(securityTexts)
  const [value, setValue] = useState('')
  const [error, setError] = useState<string>()
  const submit = useSubmit()
  const box = useRef<HTMLDivElement>(null)
  const pointOut = useFirstWrong(box)
  const check = (password: string) =>
    submit.run(async () => {
      const { resultType, failCount } = await payPasswordApi.verifyPayPassword({ password })
      if (resultType === PAY_RESULT.success) return onRight(password)
      setValue('')
      if (resultType === PAY_RESULT.notSet) {
        toast.warning(t('pay_not_set'))
        return onMode('set')
      }
      if (resultType === PAY_RESULT.limitExceeded) {
        setPayResetNeeded(true)
        toast.warning(t('pay_limit'))
        return onMode('reset')
      }
      setError(t('pay_wrong', { left: PAY_PASSWORD_TRIES - failCount }))
      pointOut()
    })
  return (
    <div ref={box} className="grid gap-4">
      <PayBoxes
        label={t('pay_label')}
        value={value}
        onChange={(next) => {
          setValue(next)
          if (next) setError(undefined)
        }}
        onComplete={(password) => void check(password)}
        error={error}
        hint={submit.isRunning ? t('pay_checking') : undefined}
      />
      <FormError
        message={submit.failure?.message}
        way={
          <button type="button" className="link" onClick={() => void check(value)}>
            {t('pay_retry')}
          </button>
        }
      />
      <button type="button" className="link mx-auto text-14 mobile:min-h-11" onClick={() => onMode('reset')}>
        {t('pay_forgot')}
      </button>
    </div>
  )
}
