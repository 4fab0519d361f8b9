import { useEffect, useRef } from 'react'
import { preloadCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { accountTexts } from '../../texts.ts'
import { useSignInOptions } from '../sign-in-options.ts'
import { setDraft, useAuthDraft, type AuthMode } from './draft.ts'
import { GoogleButton } from './google/google-button.tsx'
import { LoginForm } from './login-form.tsx'
import { RegisterForm } from './register-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { attachDeviceName } from './device-name.ts'
import { WayTabs } from './way-tabs.tsx'

interface AuthPanelProps {
  readonly redirect: string | undefined
  readonly onReady?: () => void
}

/** The three forms, in the dialog and on the page. */
export function AuthPanel({ redirect, onReady }: AuthPanelProps) {
  const t = useTexts(accountTexts)
  const { mode, way, method } = useAuthDraft()
  const noMobile = useSignInOptions()?.mobileRegions.length === 0
  const ready = useRef(onReady)
  useEffect(() => {
    attachDeviceName()
    ready.current?.()
    preloadCaptcha()
  }, [])
  useEffect(() => {
    if (noMobile) setDraft({ way: 'email' })
  }, [noMobile])
  const onMode = (next: AuthMode) => setDraft({ mode: next })
  const props = { onMode, redirect }
  const link = 'link font-medium mobile:min-h-11 mobile:px-1'
  if (mode === 'reset')
    return (
      <>
        <ResetForm {...props} />
        <p className="mt-5 text-center text-14 text-fg-2">
          {t('auth_remembered')}{' '}
          <button type="button" className={link} onClick={() => onMode('login')}>
            {t('auth_to_login')}
          </button>
        </p>
      </>
    )
  const isLogin = mode === 'login'
  return (
    <>
      {noMobile ? null : (
        <div className="mb-5">
          <WayTabs value={way} onChange={(next) => setDraft({ way: next })} />
        </div>
      )}
      {isLogin ? <LoginForm key={`${way} ${method}`} {...props} /> : <RegisterForm key={way} {...props} />}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 text-14 text-fg-2">
        {isLogin ? (
          <button type="button" className={link} onClick={() => setDraft({ method: method === 'code' ? 'password' : 'code' })}>
            {t(method === 'code' ? 'auth_by_password' : 'auth_by_code')}
          </button>
        ) : null}
        <p className={isLogin ? '' : 'mx-auto'}>
          {t(isLogin ? 'auth_no_account' : 'auth_has_account')}{' '}
          <button type="button" className={link} onClick={() => onMode(isLogin ? 'register' : 'login')}>
            {t(isLogin ? 'auth_to_register' : 'auth_to_login')}
          </button>
        </p>
      </div>
      <GoogleButton redirect={redirect} />
    </>
  )
}
