import { useState } from 'react'
import { Controller } from 'react-hook-form'
import { useZodForm } from '#platform/web/form.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { toast } from '#ui/toast.ts'
import { accountTexts } from '../texts.ts'
import { accountApi } from './account-api.ts'
import type { FormProps } from './auth-panel.tsx'
import { CodeRow } from './code-row.tsx'
import { FormError } from './form-error.tsx'
import { PasswordStrength } from './password-strength.tsx'
import { resetForm } from './schemas.ts'
import { useFieldError } from './use-text-error.ts'

export function ResetForm({ email, onEmail, onMode }: FormProps) {
  const t = useTexts(accountTexts)
  const fieldError = useFieldError()
  const [failure, setFailure] = useState<unknown>()
  const form = useZodForm(resetForm, { email, verifyCode: '', password: '' })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    setFailure(undefined)
    try {
      await accountApi.resetPassword(values)
      toast.success(t('auth_done_reset'))
      onEmail(values.email)
      onMode('login')
    } catch (error) {
      setFailure(error)
    }
  })
  const checkedEmail = async () => ((await form.trigger('email', { shouldFocus: true })) ? form.getValues('email').trim() : undefined)
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
          <CodeRow purpose="updatePassword" value={field.value} onChange={field.onChange} error={fieldError(errors.verifyCode)} email={checkedEmail} />
        )}
      />
      <PasswordField
        label={t('auth_new_password')}
        autoComplete="new-password"
        hint={<PasswordStrength password={form.watch('password')} />}
        error={fieldError(errors.password)}
        {...form.register('password')}
      />
      <FormError message={failure instanceof Error ? failure.message : undefined} />
      <Button type="submit" size="lg" block loading={isSubmitting}>
        {t('auth_submit_reset')}
      </Button>
    </form>
  )
}
