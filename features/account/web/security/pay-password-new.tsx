import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/form-error.tsx'
import { checkCode } from '../fields/rules.ts'
import { SubmitButton } from '../fields/submit-button.tsx'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { reloadMe, type Me } from '../use-me.ts'
import { payPasswordApi, securityApi } from './api.ts'
import { OwnCode, useContactKind } from './own-code.tsx'
import { setPayResetNeeded } from './pay-reset-flag.ts'
import { StepsLine } from './steps-line.tsx'
import { TwiceSixDigits } from './twice-six-digits.tsx'

interface NewPayPasswordProps {
  readonly me: Me
  readonly mode: 'set' | 'reset'
  readonly onDone: (password: string) => void
}

/** Set and reset: enter, confirm, then a code proves who sits there. */
export function NewPayPassword({ me, mode, onDone }: NewPayPasswordProps) {
  const a = useTexts(accountTexts)
  const t = useTexts(securityTexts)
  const [password, setPassword] = useState<string>()
  const [weak, setWeak] = useState<string>()
  const [by, setBy] = useContactKind(me)
  const submit = useSubmit()
  const fields = useAccountFields({ verifyCode: '' }, { verifyCode: ({ verifyCode }) => checkCode(verifyCode) })
  const names = [t('pay_step_new'), t('pay_step_proof')]
  if (!password)
    return (
      <>
        <StepsLine at={1} names={names} />
        <TwiceSixDigits me={me} refused={weak} onDone={setPassword} />
      </>
    )
  const onSubmit = fields.submit(async ({ verifyCode }) => {
    await submit.run(async () => {
      const input = { password, verifyCode }
      try {
        await (mode === 'set' ? payPasswordApi.setPayPassword(input) : payPasswordApi.resetPayPassword(input))
      } catch (error) {
        if (!isApiError(error)) throw error
        if (error.errorName === 'PAY_PASSWORD_WEAK') {
          setWeak(error.message)
          return setPassword(undefined)
        }
        if (error.errorName !== 'CODE_WRONG') throw error
        fields.set({ verifyCode: '' })
        return fields.refuse('verifyCode', error.message)
      }
      setPayResetNeeded(false)
      await reloadMe()
      toast.success(t(mode === 'set' ? 'pay_done_set' : 'pay_done_reset'))
      onDone(password)
    })
  })
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <StepsLine at={2} names={names} />
      <OwnCode
        me={me}
        purpose="payPassword"
        by={by}
        onBy={setBy}
        {...fields.bind('verifyCode')}
        onComplete={() => onSubmit()}
        send={(input) => securityApi.sendPayPasswordCode({ x: input.by, captchaVerifyParam: input.captchaVerifyParam })}
      />
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t(mode === 'set' ? 'pay_action_set' : 'pay_action_reset')}
      </SubmitButton>
      <Button variant="ghost" block onClick={() => setPassword(undefined)}>
        {a('auth_back')}
      </Button>
    </form>
  )
}
