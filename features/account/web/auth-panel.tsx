import { useEffect, useRef, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Segmented } from '#ui/segmented.tsx'
import { accountTexts } from '../texts.ts'
import { CodeLogin } from './code-login.tsx'
import { PasswordLogin } from './password-login.tsx'
import { RegisterForm } from './register-form.tsx'
import { ResetForm } from './reset-form.tsx'

export type AuthMode = 'login' | 'register' | 'reset'

export interface FormProps {
  /** Carried between the forms, so that nobody types it twice. */
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly onMode: (mode: AuthMode) => void
  readonly redirect: string | undefined
}

interface AuthPanelProps {
  readonly mode: AuthMode
  readonly onMode: (mode: AuthMode) => void
  readonly redirect: string | undefined
  readonly onReady?: () => void
}

export function AuthPanel({ mode, onMode, redirect, onReady }: AuthPanelProps) {
  const t = useTexts(accountTexts)
  const [email, setEmail] = useState('')
  const [method, setMethod] = useState<'password' | 'code'>('password')
  const ready = useRef(onReady)
  useEffect(() => ready.current?.(), [])
  const props: FormProps = { email, onEmail: setEmail, onMode, redirect }
  const other = mode === 'login' ? 'register' : 'login'
  return (
    <>
      {mode === 'login' ? (
        <>
          <Segmented
            label={t('auth_method')}
            value={method}
            onChange={setMethod}
            className="mb-5 flex! [&>button]:flex-1 [&>button]:justify-center [&>button]:py-1.5"
            items={[
              { value: 'password', label: t('auth_by_password') },
              { value: 'code', label: t('auth_by_code') },
            ]}
          />
          {method === 'password' ? <PasswordLogin {...props} onUseCode={() => setMethod('code')} /> : <CodeLogin {...props} />}
        </>
      ) : mode === 'register' ? (
        <RegisterForm {...props} />
      ) : (
        <ResetForm {...props} />
      )}
      <p className="mt-5 text-center text-14 text-fg-2">
        {t(mode === 'login' ? 'auth_no_account' : 'auth_has_account')}{' '}
        <button type="button" className="link font-medium mobile:min-h-11 mobile:px-2" onClick={() => onMode(other)}>
          {t(mode === 'login' ? 'auth_to_register' : 'auth_to_login')}
        </button>
      </p>
    </>
  )
}
