import { useCallback, useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { isFeatureOn, warnFeatureOff } from '#platform/web/state/flags.ts'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import type { ElementsInfo, FrameInfo, RevealInfo } from './reveal-info.ts'

export const CARD_REVEAL_SECONDS = 60

/** State of a reveal: hidden, requested, shown, failed. The secrets themselves never pass this code. */
export type RevealState =
  | { readonly step: 'hidden' }
  | { readonly step: 'asking' }
  | { readonly step: 'shown'; readonly info: FrameInfo | ElementsInfo; readonly until: number }
  | { readonly step: 'failed'; readonly error: string }

export interface Reveal {
  readonly state: RevealState
  /** Requires the payment password and shows the secrets; a second press hides them. */
  readonly press: () => Promise<void>
  readonly hide: () => void
  readonly fail: (error: string) => void
}

const HIDDEN: RevealState = { step: 'hidden' }

export function useReveal(card: CardRow): Reveal {
  const t = useTexts(cardTexts)
  const [state, setState] = useState<RevealState>(HIDDEN)
  const turn = useRef(0)
  const hide = useCallback(() => {
    turn.current++
    setState(HIDDEN)
  }, [])
  const fail = useCallback((error: string) => setState({ step: 'failed', error }), [])
  useHiding(state.step === 'shown' || state.step === 'asking', hide)
  const { id } = card
  const canShow = card.state === 'active'
  useEffect(() => {
    if (!canShow) hide()
  }, [canShow, hide])

  const press = async () => {
    if (state.step === 'shown') return hide()
    if (state.step === 'asking' || !canShow) return
    if (!isFeatureOn('revealCard')) return warnFeatureOff()
    const payPassword = await requestPayPassword()
    if (payPassword === undefined) return
    const mine = ++turn.current
    setState({ step: 'asking' })
    try {
      const info = await fetchInfo(id, payPassword)
      if (turn.current !== mine) return
      setState({ step: 'shown', info, until: computeDeadline(info.expiresTime) })
    } catch (error) {
      if (turn.current === mine) fail(isApiError(error) ? error.message : t('revealFailed'))
    }
  }
  return { state, press, hide, fail }
}

async function fetchInfo(id: string, payPassword: string): Promise<RevealInfo> {
  const theme = document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light'
  const info = await cardsApi.cardPrivacyInfo({ id, payPassword, theme })
  if (info.form === 'frame' || info.ephemeralKey) return info
  // The issuer's script makes a nonce in this browser; the issuer issues the key only for a nonce.
  const { createCardNonce } = await import('./stripe.ts')
  return cardsApi.cardPrivacyInfo({ id, payPassword, theme, nonce: await createCardNonce(info) })
}

/** The server's deadline; a clock that is wrong must neither hide the number at once nor keep it for hours. */
function computeDeadline(expires: string): number {
  const now = Date.now()
  const left = Date.parse(expires) - now
  return now + (left > 5_000 && left <= CARD_REVEAL_SECONDS * 1000 ? left : CARD_REVEAL_SECONDS * 1000)
}

/** Hides the number when the tab is hidden or the page is left. */
function useHiding(active: boolean, hide: () => void): void {
  useEffect(() => {
    if (!active) return
    const left = () => {
      if (document.visibilityState === 'hidden') hide()
    }
    document.addEventListener('visibilitychange', left)
    addEventListener('pagehide', hide)
    return () => {
      document.removeEventListener('visibilitychange', left)
      removeEventListener('pagehide', hide)
    }
  }, [active, hide])
}
