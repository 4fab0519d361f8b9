import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useZodForm } from '#platform/web/form.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { accountTexts } from '../texts.ts'
import { accountApi } from './account-api.ts'
import type { FormProps } from './auth-panel.tsx'
import { CodeRow } from './code-row.tsx'
import { FormError } from './form-error.tsx'
import { codeLoginForm } from './schemas.ts'
import { useSignedInGo } from './use-signed-in.ts'
import { useFieldError } from './use-text-error.ts'

export function CodeLogin({ email, onEmail, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const fieldError = useFieldError()
  const go = useSignedInGo(redirect)
  const [failure, setFailure] = useState<unknown>()
  const form = useZodForm(codeLoginForm, { email, verifyCode: '' })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined)
    try {
      go((await accountApi.codeLogin(values)).token, 'auth_done_login')
    } catch (error) {
      setFailure(error)
      form.setValue('verifyCode', '')
    }
  })
  const checkedEmail = async () => ((await form.trigger('email', { shouldFocus: true })) ? form.getValues('email').trim() : undefined)
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="grid gap-4">
      <TextField
        label={t('auth_email')}
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="off"
        error={fieldError(errors.email)}
        {...form.register('email', { onBlur: () => onEmail(form.getValues('email')) })}
      />
      <Controller
        control={form.control}
        name="verifyCode"
        render={({ field }) => (
          <CodeRow
            purpose="login"
            value={field.value}
            onChange={field.onChange}
            onComplete={() => void submit()}
            error={fieldError(errors.verifyCode)}
            email={checkedEmail}
          />
        )}
      />
      <FormError message={failure instanceof Error ? failure.message : undefined} />
      <Button type="submit" size="lg" block loading={isSubmitting}>
        {t('auth_submit_login')}
      </Button>
    </form>
  )
}
