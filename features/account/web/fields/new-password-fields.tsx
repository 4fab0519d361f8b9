import { useTexts } from '#platform/web/i18n.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { accountTexts } from '../../texts.ts'
import { PASSWORD_MAX } from '../../contract.ts'

const AUTH_STRENGTH_TEXT = { 1: 'auth_strength_1', 2: 'auth_strength_2', 3: 'auth_strength_3' } as const

/** Rough strength estimate, for guidance only: length counts most, then the kinds of characters. The server refuses common passwords. */
function ratePassword(password: string, min: number): 1 | 2 | 3 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const points = password.length + kinds * 2
  if (password.length < min || (kinds < 2 && password.length < 14) || new Set(password).size < 5) return 1
  return points >= 19 ? 3 : 2
}

const colors = { 1: 'bg-danger', 2: 'bg-warning', 3: 'bg-success' }

function PasswordStrength({ password, min }: { readonly password: string; readonly min: number }) {
  const t = useTexts(accountTexts)
  if (!password) return <>{t('auth_password_hint', { min, max: PASSWORD_MAX })}</>
  const level = ratePassword(password, min)
  return (
    <span className="flex items-center gap-2">
      <span className="flex gap-1" aria-hidden="true">
        {([1, 2, 3] as const).map((step) => (
          <span key={step} className={`h-1 w-7 rounded-full transition-colors duration-160 ${step <= level ? colors[level] : 'bg-line'}`} />
        ))}
      </span>
      {t(AUTH_STRENGTH_TEXT[level])}
    </span>
  )
}

interface NewPasswordFieldsProps {
  readonly label: string
  readonly value: string
  readonly confirm: string
  readonly onValue: (text: string) => void
  readonly onConfirm: (text: string) => void
  readonly error: string | undefined
  readonly confirmError: string | undefined
  /** Minimum length: 8 in the sign-in dialog, 12 in the settings. */
  readonly min: number
  /** Username for password managers; the sign-in forms have the field themselves. */
  readonly username?: string
}

/** Fields for a new password with its strength, and for its repetition. */
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
