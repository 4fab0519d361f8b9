import { useState } from 'react'
import { isApiError } from '#platform/web/api-error.ts'
import { useZodForm } from '#platform/web/form.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { accountTexts } from '../texts.ts'
import { accountApi } from './account-api.ts'
import type { FormProps } from './auth-panel.tsx'
import { FormError } from './form-error.tsx'
import { passwordLoginForm } from './schemas.ts'
import { useSignedInGo } from './use-signed-in.ts'
import { useFieldError } from './use-text-error.ts'

export function PasswordLogin({ email, onEmail, redirect, onMode, onUseCode }: FormProps & { readonly onUseCode: () => void }) {
  const t = useTexts(accountTexts)
  const fieldError = useFieldError()
  const go = useSignedInGo(redirect)
  const [failure, setFailure] = useState<unknown>()
  const form = useZodForm(passwordLoginForm, { email, password: '' })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined)
    try {
      go((await accountApi.passwordLogin(values)).token, 'auth_done_login')
    } catch (error) {
      setFailure(error)
      form.setFocus('password', { shouldSelect: true })
    }
  })
  const locked = isApiError(failure) && failure.errorName === 'LOGIN_LOCKED'
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <TextField
        label={t('auth_email')}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="off"
        error={fieldError(errors.email)}
        {...form.register('email', { onBlur: () => onEmail(form.getValues('email')) })}
      />
      <PasswordField
        label={t('auth_password')}
        autoComplete="current-password"
        error={fieldError(errors.password)}
        {...form.register('password')}
        aside={
          <button type="button" onClick={() => onMode('reset')} className="rounded-tag text-14 text-brand-text hover:underline mobile:-my-2.5 mobile:min-h-11">
            {t('auth_forgot')}
          </button>
        }
      />
      <FormError
        message={failure instanceof Error ? failure.message : undefined}
        way={
          locked ? (
            <button type="button" onClick={onUseCode} className="link">
              {t('auth_use_code')}
            </button>
          ) : null
        }
      />
      <Button type="submit" size="lg" block loading={isSubmitting}>
        {t('auth_submit_login')}
      </Button>
    </form>
  )
}
