import { useTexts } from '#platform/web/i18n.ts'
import { PASSWORD_MAX } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'

const AUTH_STRENGTH_TEXT = { 1: 'auth_strength_1', 2: 'auth_strength_2', 3: 'auth_strength_3' } as const

/** A rough guide, never a gate: length counts most, then the kinds of characters. The server refuses common ones. */
export function ratePassword(password: string, min: number): 1 | 2 | 3 {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const points = password.length + kinds * 2
  if (password.length < min || (kinds < 2 && password.length < 14) || new Set(password).size < 5) return 1
  return points >= 19 ? 3 : 2
}

const colors = { 1: 'bg-danger', 2: 'bg-warning', 3: 'bg-success' }

export function PasswordStrength({ password, min }: { readonly password: string; readonly min: number }) {
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
