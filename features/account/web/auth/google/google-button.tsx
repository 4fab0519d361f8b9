import { useEffect, useRef, useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { detectInApp, ensureRealBrowser } from '#platform/web/state/outside.ts'
import { Button } from '#ui/button.tsx'
import { accountTexts } from '../../../texts.ts'
import { isSilentError, signInByPopup, signInHere } from './google.ts'
import { useSignInOptions } from '../../sign-in-options.ts'
import { useSignedInGo } from '../use-signed-in.ts'

type State = 'idle' | 'waiting' | 'failed' | 'broken'

/** Google refuses in-app browsers such as WeChat's; the button explains the alternative there. */
export function GoogleButton({ redirect }: { readonly redirect: string | undefined }) {
  const t = useTexts(accountTexts)
  const google = useSignInOptions()?.google
  const mobile = useIsMobile()
  const go = useSignedInGo(redirect)
  const [state, setState] = useState<State>('idle')
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  if (!google) return null

  const begin = async () => {
    if (!ensureRealBrowser('google')) return
    stop.current?.abort()
    stop.current = new AbortController()
    setState('waiting')
    try {
      if (mobile) return await signInHere(google.clientId, redirect)
      const reply = await signInByPopup(google.clientId, redirect, stop.current.signal)
      if (reply) return go(reply, 'auth_done_login')
      setState('idle')
    } catch (error) {
      setState(isSilentError(error) ? 'failed' : 'broken')
    }
  }
  const note = state === 'failed' ? 'google_failed' : state === 'broken' ? 'google_broken' : detectInApp() ? 'google_outside' : undefined
  return (
    <div>
      <p className="my-5 flex items-center gap-3 text-13 text-fg-3 before:flex-1 before:border-t before:border-dashed before:border-line after:flex-1 after:border-t after:border-dashed after:border-line">
        {t('auth_or')}
      </p>
      {detectInApp() ? (
        <button type="button" className="mx-auto block text-center text-13 text-fg-3 underline underline-offset-4 mobile:min-h-11" onClick={() => void begin()}>
          {t('google_outside')}
        </button>
      ) : (
        <Button variant="secondary" size="lg" block onClick={() => void begin()}>
          <GoogleMark />
          {t(state === 'waiting' ? 'google_waiting' : 'google_button')}
        </Button>
      )}
      <p role="status" className="text-center text-13 text-fg-3 [&:not(:empty)]:mt-2">
        {note && note !== 'google_outside' ? t(note) : state === 'waiting' && !mobile ? t('google_waiting_hint') : null}
      </p>
    </div>
  )
}

/** Google's mark in its own colours, as its guidelines require. */
function GoogleMark() {
  return (
    <svg viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      <path d="M17.64 9.2c0-.64-.06-1.25-.16-1.84H9v3.48h4.84a4.14 4.14 0 0 1-1.8 2.72v2.26h2.92c1.7-1.57 2.68-3.88 2.68-6.62z" fill="#4285f4" />
      <path d="M9 18c2.43 0 4.47-.8 5.96-2.18l-2.92-2.26c-.8.54-1.84.86-3.04.86-2.34 0-4.32-1.58-5.03-3.7H.96v2.33A9 9 0 0 0 9 18z" fill="#34a853" />
      <path d="M3.97 10.71a5.4 5.4 0 0 1 0-3.42V4.96H.96a9 9 0 0 0 0 8.08l3.01-2.33z" fill="#fbbc05" />
      <path d="M9 3.58c1.32 0 2.5.45 3.44 1.35l2.58-2.59A9 9 0 0 0 .96 4.96l3.01 2.33C4.68 5.16 6.66 3.58 9 3.58z" fill="#ea4335" />
    </svg>
  )
}
