import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { canUsePasskey, signWithPasskey } from '#platform/web/passkey.ts'
import { startSession } from '#platform/web/state/session.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/form-error.tsx'
import { SubmitButton } from '../fields/submit-button.tsx'
import { factorsApi, securityApi } from './api.ts'

/** Step-up form of a user with a factor: passkey, authenticator code, or recovery code. */
export function FactorForm({ hasPasskey, onDone }: { readonly hasPasskey: boolean; readonly onDone: () => void }) {
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
