import { useTexts } from '#platform/web/i18n.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { accountTexts } from '../../texts.ts'
import { PasswordStrength } from './password-strength.tsx'

interface NewPasswordFieldsProps {
  readonly label: string
  readonly value: string
  readonly confirm: string
  readonly onValue: (text: string) => void
  readonly onConfirm: (text: string) => void
  readonly error: string | undefined
  readonly confirmError: string | undefined
  /** The shortest that is taken here: 8 in the sign-in dialog, 12 in the settings. */
  readonly min: number
  /** Tells a password manager whose password this is; the sign-in forms have the field themselves. */
  readonly username?: string
}

/** A new password, its strength, and the same again. */
export function NewPasswordFields({ label, value, confirm, onValue, onConfirm, error, confirmError, min, username }: NewPasswordFieldsProps) {
  const t = useTexts(accountTexts)
  return (
    <>
      {username ? <input type="text" name="username" autoComplete="username" value={username} readOnly hidden /> : null}
      <PasswordField
        label={label}
        name="new-password"
        autoComplete="new-password"
        value={value}
        onChange={(event) => onValue(event.target.value)}
        hint={<PasswordStrength password={value} min={min} />}
        error={error}
      />
      <PasswordField
        label={t('auth_password_again')}
        name="confirm-password"
        autoComplete="new-password"
        value={confirm}
        onChange={(event) => onConfirm(event.target.value)}
        error={confirmError}
      />
    </>
  )
}
