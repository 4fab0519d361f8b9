import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { isApiError } from '#platform/web/api-error.ts'
import { useZodForm } from '#platform/web/form.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { kept } from '#platform/web/storage.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField } from '#ui/checkbox-field.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { accountTexts } from '../texts.ts'
import { accountApi } from './account-api.ts'
import type { FormProps } from './auth-panel.tsx'
import { CodeRow } from './code-row.tsx'
import { FormError } from './form-error.tsx'
import { PasswordStrength } from './password-strength.tsx'
import { registerForm } from './schemas.ts'
import { useSignedInGo } from './use-signed-in.ts'
import { useFieldError } from './use-text-error.ts'

/** The invite code of ?code= or /invite/{id}, kept by the router. */
export function RegisterForm({ email, onEmail, redirect, onMode }: FormProps) {
  const t = useTexts(accountTexts)
  const fieldError = useFieldError()
  const go = useSignedInGo(redirect)
  const [failure, setFailure] = useState<unknown>()
  const form = useZodForm(registerForm, { email, verifyCode: '', password: '', inviteCode: kept('invite') ?? '', agreed: true })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ agreed: _, ...values }) => {
    setFailure(undefined)
    try {
      go((await accountApi.register(values)).token, 'auth_done_register')
    } catch (error) {
      setFailure(error)
    }
  })
  const checkedEmail = async () => ((await form.trigger('email', { shouldFocus: true })) ? form.getValues('email').trim() : undefined)
  const taken = isApiError(failure) && failure.errorName === 'EMAIL_TAKEN'
  const legal = (to: string, text: string) => (
    <a href={to} target="_blank" rel="noopener" className="link">
      {text}
    </a>
  )
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
      <Controller
        control={form.control}
        name="verifyCode"
        render={({ field }) => (
          <CodeRow purpose="register" value={field.value} onChange={field.onChange} error={fieldError(errors.verifyCode)} email={checkedEmail} />
        )}
      />
      <PasswordField
        label={t('auth_password')}
        autoComplete="new-password"
        hint={<PasswordStrength password={form.watch('password')} />}
        error={fieldError(errors.password)}
        {...form.register('password')}
      />
      {form.getValues('inviteCode') || form.formState.dirtyFields.inviteCode ? (
        <TextField label={t('auth_invite')} autoComplete="off" maxLength={64} {...form.register('inviteCode')} />
      ) : null}
      <CheckboxField
        error={fieldError(errors.agreed)}
        {...form.register('agreed')}
        label={
          <>
            {t('auth_agree')} {legal('/terms', t('auth_terms'))} {t('auth_and')} {legal('/privacy', t('auth_privacy'))}
          </>
        }
      />
      <FormError
        message={failure instanceof Error ? failure.message : undefined}
        way={
          taken ? (
            <button type="button" onClick={() => onMode('login')} className="link">
              {t('auth_to_login')}
            </button>
          ) : null
        }
      />
      <Button type="submit" size="lg" block loading={isSubmitting}>
        {t('auth_submit_register')}
      </Button>
    </form>
  )
}
