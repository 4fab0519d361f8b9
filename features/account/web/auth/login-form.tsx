import { useTexts } from '#platform/web/i18n.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { accountTexts } from '../../texts.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError } from '../fields/form-error.tsx'
import { IdentityField, formatContact } from '../fields/identity-field.tsx'
import { SubmitButton } from '../fields/submit-button.tsx'
import { setDraft } from './draft.ts'
import type { FormProps } from './parts.ts'
import { requestAuthCode } from './send-code.ts'
import { useLogin } from './use-login.ts'

/** Sign-in form: mobile or e-mail, with code or password. Its parent remounts it when either changes. */
export function LoginForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, method, fields, submit, onSubmit, locked } = useLogin({ onMode, redirect })
  const { value: code, onChange: onCode, error: codeError } = fields.bind('verifyCode')
  const secret = fields.bind('password')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <IdentityField way={way} fields={fields} isUsername={method === 'password'} />
      {method === 'code' ? (
        <CodeRow
          purpose="login"
          target={formatContact(way, fields.values)}
          by={way === 'mobile' ? 'sms' : 'mail'}
          value={code}
          onChange={onCode}
          onComplete={() => onSubmit()}
          error={codeError}
          check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
          send={() => requestAuthCode('login', way, fields.values)}
        />
      ) : (
        <PasswordField
          label={t('auth_password')}
          name="password"
          autoComplete="current-password"
          value={secret.value}
          onChange={(event) => secret.onChange(event.target.value)}
          error={secret.error}
          aside={
            <button
              type="button"
              onClick={() => onMode('reset')}
              className="rounded-tag text-14 text-brand-text underline-offset-4 hover:underline mobile:-my-2.5 mobile:min-h-11"
            >
              {t('auth_forgot')}
            </button>
          }
        />
      )}
      <FormError
        message={submit.failure?.message}
        way={
          locked ? (
            <button type="button" onClick={() => setDraft({ method: 'code' })} className="link">
              {t('auth_use_code')}
            </button>
          ) : null
        }
      />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('auth_submit_login')}
      </SubmitButton>
    </form>
  )
}
