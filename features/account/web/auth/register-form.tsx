import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { PASSWORD_MIN } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { CodeRow } from '../fields/code-row.tsx'
import { FormError } from '../fields/form-error.tsx'
import { IdentityField, formatContact } from '../fields/identity-field.tsx'
import { NewPasswordFields } from '../fields/new-password-fields.tsx'
import { SubmitButton } from '../fields/submit-button.tsx'
import { LegalText } from './legal-text.tsx'
import type { FormProps } from './parts.ts'
import { useRegister } from './use-register.ts'
import { requestAuthCode } from './send-code.ts'

export function RegisterForm({ onMode, redirect }: FormProps) {
  const t = useTexts(accountTexts)
  const { way, withPassword, tickedAtFirst, fields, submit, onSubmit, taken, passwordsStand } = useRegister({ redirect })
  const code = fields.bind('verifyCode')
  const password = fields.bind('newPassword')
  const confirm = fields.bind('confirm')
  const agreed = fields.bind('agreed')
  const invite = fields.bind('inviteCode')
  // a link fills it in; who was told a code asks for the field
  const [asksInvite, setAsksInvite] = useState(invite.value !== '')
  return (
    <form {...fields.form} onSubmit={onSubmit} className="grid gap-4">
      <IdentityField way={way} fields={fields} isUsername />
      {withPassword ? (
        <NewPasswordFields
          label={t('auth_password')}
          min={PASSWORD_MIN}
          value={password.value}
          onValue={password.onChange}
          error={password.error}
          confirm={confirm.value}
          onConfirm={confirm.onChange}
          confirmError={confirm.error}
        />
      ) : null}
      <CodeRow
        purpose="register"
        target={formatContact(way, fields.values)}
        by={way === 'mobile' ? 'sms' : 'mail'}
        {...code}
        onComplete={() => (withPassword && !passwordsStand() ? undefined : onSubmit())}
        check={() => fields.check(way === 'mobile' ? 'phone' : 'email')}
        send={() => requestAuthCode('register', way, fields.values)}
      />
      {asksInvite ? (
        <TextField
          label={t('auth_invite')}
          autoComplete="off"
          maxLength={64}
          value={invite.value}
          autoFocus={invite.value === ''}
          onChange={(event) => invite.onChange(event.target.value)}
        />
      ) : (
        <button type="button" className="link justify-self-start text-13 mobile:min-h-11" onClick={() => setAsksInvite(true)}>
          {t('auth_invite_have')}
        </button>
      )}
      <CheckboxField
        label={<LegalText />}
        checked={agreed.value ?? tickedAtFirst}
        onChange={(event) => agreed.onChange(event.target.checked)}
        error={agreed.error}
      />
      <FormError
        message={submit.failure?.message}
        way={
          taken ? (
            <button type="button" onClick={() => onMode('login')} className="link">
              {t('auth_to_login')}
            </button>
          ) : null
        }
      />
      <SubmitButton loading={submit.isRunning} slow={submit.slow}>
        {t('auth_submit_register')}
      </SubmitButton>
    </form>
  )
}
