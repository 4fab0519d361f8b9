import type { TextKeyOf } from '#platform/shared/texts.ts'
import { useEffect, useRef, useState } from 'react'
import { usePayPasswordStore } from '#platform/web/state/request-pay-password.ts'
import { preloadCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { securityTexts } from '../../texts-security.ts'
import { useCurrentUser, reloadMe } from '../use-me.ts'
import type { Me } from '../use-me.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { ModifyPayPassword } from './pay-password-modify.tsx'
import type { PayMode } from './pay-mode.ts'
import { RESET_FLAG, setPayResetNeeded } from './pay-reset-flag.ts'
import { useFirstWrong } from '#platform/web/use-fields.ts'
import { toast } from '#ui/layers/toast.ts'
import { PAY_PASSWORD_TRIES } from '../../contract.ts'
import { PAY_RESULT } from '../../contract-pay-password.ts'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { payPasswordApi, securityApi } from './api.ts'
import { PayBoxes } from './pay-boxes.tsx'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { Button } from '#ui/button.tsx'
import { accountTexts } from '../../texts.ts'
import { checkCode } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { OwnCode, useContactKind } from './own-code.tsx'
import { StepsLine } from './steps-line.tsx'
import { TwiceSixDigits } from './twice-six-digits.tsx'

interface NewPayPasswordProps {
  readonly me: Me
  readonly mode: 'set' | 'reset'
  readonly onDone: (password: string) => void
}

/** Set and reset: enter, confirm, then verify the user by a code. */
function NewPayPassword({ me, mode, onDone }: NewPayPasswordProps) {
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

interface AskPayPasswordProps {
  readonly onRight: (password: string) => void
  readonly onMode: (mode: PayMode) => void
}

/** Checks the password at the sixth digit; shows how many attempts are left. */
function AskPayPassword({ onRight, onMode }: AskPayPasswordProps) {
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

const PAY_TITLE_TEXT = { input: 'pay_title_input', set: 'pay_title_set', reset: 'pay_title_reset', modify: 'pay_title_modify' } as const satisfies Record<
  PayMode,
  TextKeyOf<typeof securityTexts>
>

/** `openDialog('payPassword')` from the settings: sets, changes or resets the payment password. */
export const PayPasswordDialog = withQueries(function PayPasswordDialog() {
  const t = useTexts(securityTexts)
  const { open, props, close, turn } = useNamedDialog('payPassword')
  const [mode, setMode] = useState<PayMode>()
  const user = useCurrentUser().data
  const asked = props?.mode
  useEffect(() => setMode(asked), [asked, turn])
  return (
    <TypingDialog open={open} onClose={close} title={t(PAY_TITLE_TEXT[resolvePayMode(mode ?? 'modify', user)])}>
      <WithMe key={turn}>{(me) => <PaySteps me={me} mode={toStepsMode(resolvePayMode(mode ?? 'modify', me))} onMode={setMode} onDone={close} />}</WithMe>
    </TypingDialog>
  )
})

/** `requestPayPassword()` from any page: asks for the six digits, which the server checks. */
export const PayPasswordHost = withQueries(function PayPasswordHost() {
  const t = useTexts(securityTexts)
  const asked = usePayPasswordStore((state) => state.asked)
  const [mode, setMode] = useState<PayMode>('input')
  const user = useCurrentUser().data
  const last = useRef(asked)
  const turn = useRef(0)
  if (asked && asked !== last.current) {
    last.current = asked
    turn.current++
  }
  useEffect(() => {
    if (!asked) return
    preloadCaptcha()
    setMode(readStored(RESET_FLAG) ? 'reset' : 'input')
  }, [asked])
  const answer = (password?: string) => (asked ?? last.current)?.answer(password)
  return (
    <TypingDialog above open={asked !== undefined} onClose={() => answer()} title={t(PAY_TITLE_TEXT[resolvePayMode(mode, user)])}>
      <WithMe key={turn.current}>
        {(me) =>
          resolvePayMode(mode, me) === 'input' ? (
            <AskPayPassword onRight={answer} onMode={setMode} />
          ) : (
            <PaySteps me={me} mode={toStepsMode(resolvePayMode(mode, me))} onMode={setMode} onDone={answer} />
          )
        }
      </WithMe>
    </TypingDialog>
  )
})

/** Without a payment password only set makes sense; with one, only enter, change and reset. */
function resolvePayMode(mode: PayMode, me: Me | undefined): PayMode {
  if (!me) return mode
  if (!me.existPayPassword) return 'set'
  return mode === 'set' ? 'modify' : mode
}

const toStepsMode = (mode: PayMode) => (mode === 'input' ? 'modify' : mode)

interface PayStepsProps {
  readonly me: Me
  readonly mode: Exclude<PayMode, 'input'>
  readonly onMode: (mode: PayMode) => void
  readonly onDone: (password: string) => void
}

function PaySteps({ me, mode, onMode, onDone }: PayStepsProps) {
  return mode === 'modify' ? <ModifyPayPassword onMode={onMode} onDone={onDone} /> : <NewPayPassword key={mode} me={me} mode={mode} onDone={onDone} />
}
