import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { startSession } from '#platform/web/state/session.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { accountTexts } from '../../texts.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError, SubmitButton } from '../fields/submit-button.tsx'
import { checkCode, checkPassword } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import type { Me } from '../use-me.ts'
import { factorsApi, securityApi } from './api.ts'
import { WithMe, TypingDialog, withQueries } from './frame.tsx'
import { listContactKinds, OwnCode, useContactKind } from './own-code.tsx'
import { useStepUpStore } from '#platform/web/calls/step-up.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { canUsePasskey, signWithPasskey } from '#platform/web/passkey.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'

/** Step-up form of a user with a factor: passkey, authenticator code, or recovery code. */
function FactorForm({ hasPasskey, onDone }: { readonly hasPasskey: boolean; readonly onDone: () => void }) {
  const t = useTexts(securityTexts)
  const [code, setCode] = useState('')
  const submit = useSubmit()
  const prove = (given: () => Promise<Parameters<typeof securityApi.stepUp>[0] | undefined>) =>
    submit.run(async () => {
      const input = await given()
      if (!input) return
      startSession((await securityApi.stepUp(input)).token)
      onDone()
    })
  const byPasskey = () =>
    prove(async () => {
      const { id, options } = await factorsApi.stepUpChallenge({})
      const credential = await signWithPasskey(options)
      return credential && { passkey: { id, credential } }
    })
  const isWrong = isApiError(submit.failure) && submit.failure.errorName === 'CODE_WRONG'
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void prove(async () => ({ factorCode: code.trim() }))
      }}
    >
      {hasPasskey && canUsePasskey() ? (
        <Button size="lg" block loading={submit.isRunning} onClick={() => void byPasskey()}>
          {t('fac_use_passkey')}
        </Button>
      ) : null}
      <TextField
        label={t('fac_code_or_recovery')}
        value={code}
        autoComplete="one-time-code"
        error={isWrong ? t('fac_wrong') : undefined}
        onChange={(event) => setCode(event.target.value)}
      />
      <FormError message={isWrong ? undefined : submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('step_action')}
      </SubmitButton>
    </form>
  )
}

/** Step-up dialog, before changes of sign-in methods. */
export const StepUpHost = withQueries(function StepUpHost() {
  const t = useTexts(securityTexts)
  const asked = useStepUpStore((state) => state.asked)
  const turn = useRef(0)
  const last = useRef(asked)
  if (asked && asked !== last.current) turn.current++
  last.current = asked ?? last.current
  return (
    <TypingDialog above open={asked !== undefined} onClose={() => asked?.answer(false)} title={t('step_title')} description={t('step_lead')}>
      <WithMe key={turn.current}>{(me) => <Proof me={me} onDone={() => last.current?.answer(true)} />}</WithMe>
    </TypingDialog>
  )
})

/** Shows the form for factors if the user has one: nothing less is accepted. */
function Proof({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const factors = useQuery({ queryKey: ['account', 'factors'], queryFn: ({ signal }) => factorsApi.factors({}, { signal }) })
  if (factors.isError) return <ErrorState error={factors.error} onRetry={() => void factors.refetch()} />
  if (!factors.data) return <SkeletonRows rows={2} />
  const { authenticatorSince, passkeys } = factors.data
  return authenticatorSince || passkeys.length ? <FactorForm hasPasskey={passkeys.length > 0} onDone={onDone} /> : <StepUpForm me={me} onDone={onDone} />
}

function StepUpForm({ me, onDone }: { readonly me: Me; readonly onDone: () => void }) {
  const a = useTexts(accountTexts)
  const t = useTexts(securityTexts)
  const [by, setBy] = useContactKind(me)
  const [withPassword, setWithPassword] = useState(me.password)
  const submit = useSubmit()
  const fields = useAccountFields(
    { password: '', verifyCode: '' },
    withPassword ? { password: ({ password }) => checkPassword(password) } : { verifyCode: ({ verifyCode }) => checkCode(verifyCode) },
  )
  const onSubmit = fields.submit(async ({ password, verifyCode }) => {
    const refused = await submit.run(async () => {
      startSession((await securityApi.stepUp(withPassword ? { password } : { verifyCode })).token)
      onDone()
    })
    if (refused?.errorName !== 'CODE_WRONG' && refused?.errorName !== 'LOGIN_FAILED') return
    fields.set({ verifyCode: '' })
    fields.refuse(withPassword ? 'password' : 'verifyCode', withPassword ? t('step_wrong') : refused.message)
    submit.clear()
  })
  const password = fields.bind('password')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      {withPassword ? (
        <PasswordField
          label={a('auth_password')}
          autoComplete="current-password"
          value={password.value}
          onChange={(event) => password.onChange(event.target.value)}
          error={password.error}
        />
      ) : (
        <OwnCode me={me} purpose="stepUp" by={by} onBy={setBy} {...fields.bind('verifyCode')} onComplete={() => onSubmit()} send={securityApi.sendStepUpCode} />
      )}
      <FormError message={submit.failure?.message} />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('step_action')}
      </SubmitButton>
      {me.password && listContactKinds(me).length > 0 ? (
        <button type="button" className="link mx-auto text-14 mobile:min-h-11" onClick={() => setWithPassword(!withPassword)}>
          {t(withPassword ? 'step_use_code' : 'step_use_password')}
        </button>
      ) : null}
    </form>
  )
}
