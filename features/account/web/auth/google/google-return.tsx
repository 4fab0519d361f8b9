import { useEffect } from 'react'
import { create } from 'zustand'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { accountTexts } from '../../../texts.ts'
import { finishGoogleSignIn, passAnswerToOpener, parseGoogleAnswer, takePendingSignIn } from './google.ts'
import { attachDeviceName } from '../device-name.ts'
import { useSignedInGo } from '../use-signed-in.ts'

const PATIENCE_MS = 1_500
// Google always returns with a full page load, and a response is single-use: read it here, once, however often React renders.
const googleAnswer = parseGoogleAnswer(location.hash)
const pendingSignIn = takePendingSignIn(googleAnswer.state)
let hasStarted = false
/** Kept outside the component, because clearing the address makes the router render it again. */
const useProgress = create<{ readonly state: 'working' | 'taken' | 'failed' }>(() => ({ state: 'working' }))
const setState = (state: 'taken' | 'failed') => useProgress.setState({ state })

/** Page that Google redirects to: passes the response to the tab that asked, or signs in here if this is that tab. */
export function GoogleReturn() {
  const t = useTexts(accountTexts)
  useTitle(t('google_title'))
  const state = useProgress((progress) => progress.state)
  const go = useSignedInGo(pendingSignIn?.redirect ?? '/api')
  useEffect(() => {
    if (hasStarted) return
    hasStarted = true
    attachDeviceName()
    // remove the tokens from the address and the history
    history.replaceState(history.state, '', location.pathname)
    if (googleAnswer.error || (!googleAnswer.accessToken && !googleAnswer.idToken)) return giveUp()
    if (pendingSignIn) {
      finishGoogleSignIn(pendingSignIn, googleAnswer)
        .then((reply) => go(reply, 'auth_done_login'))
        .catch(() => setState('failed'))
      return
    }
    passAnswerToOpener(googleAnswer, () => {
      setState('taken')
      window.close()
    })
    setTimeout(() => {
      if (useProgress.getState().state === 'working') setState('failed')
    }, PATIENCE_MS)

    /** Declined or closed: notifies the tab that asked, so that it stops waiting. */
    function giveUp() {
      if (!pendingSignIn) passAnswerToOpener(googleAnswer, () => window.close())
      setState('failed')
    }
  }, [go])
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex min-h-[70vh] max-w-[400px] flex-col items-center justify-center px-6 text-center">
      <h1 className="text-20 font-bold">{t(state === 'failed' ? 'google_failed' : state === 'taken' ? 'google_taken' : 'google_working')}</h1>
      {state === 'working' ? <span className="spinner mt-4" aria-hidden="true" /> : null}
      {state === 'taken' ? (
        <Button variant="secondary" className="mt-5" onClick={() => window.close()}>
          {t('google_close')}
        </Button>
      ) : null}
      {state === 'failed' ? (
        <a href="/login" className={getButtonClass('primary', 'md', 'mt-5')}>
          {t('google_again')}
        </a>
      ) : null}
    </main>
  )
}
