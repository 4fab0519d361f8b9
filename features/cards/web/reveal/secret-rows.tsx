import { EyeOff } from 'lucide-react'
import { lazy, Suspense, useCallback, useState, useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Countdown } from '#ui/time/countdown.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { cardTexts } from '../../texts.ts'
import { CARD_REVEAL_SECONDS } from './use-reveal.ts'
import type { Reveal, RevealState } from './use-reveal.ts'
import type { FrameInfo } from './reveal-info.ts'

interface IssuerFrameProps {
  readonly info: FrameInfo
  readonly onShown: () => void
  readonly onMasked: () => void
}

/**
 * The issuer's own page, 348 x 152, the only one with the digits. Its scripts run in their own origin, and it may write to the clipboard
 * but nothing else: no top navigation, no pop-ups, no forms.
 */
function IssuerFrame({ info, onShown, onMasked }: IssuerFrameProps) {
  const t = useTexts(cardTexts)
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>) => {
      if (source !== frame.current?.contentWindow) return
      const told = data as { mingxi?: unknown; state?: unknown } | null
      if (told?.mingxi !== 'reveal') return
      if (told.state === 'shown') onShown()
      if (told.state === 'masked') onMasked()
    }
    addEventListener('message', hear)
    return () => removeEventListener('message', hear)
  }, [onShown, onMasked])
  return (
    <iframe
      ref={frame}
      src={info.url}
      title={t('frameTitle')}
      width={348}
      height={152}
      sandbox="allow-scripts allow-same-origin"
      allow="clipboard-write"
      referrerPolicy="origin"
      onLoad={onShown}
      className="block h-[152px] w-full border-0"
    />
  )
}

const IssuerElements = lazy(() => import('./issuer-elements.tsx').then((m) => ({ default: m.IssuerElements })))

export type ShownRevealState = Extract<RevealState, { step: 'shown' }>

/** Our timer above the issuer's rows: at its end they are removed, whatever the issuer's page does. */
export function SecretRows({ state, reveal }: { readonly state: ShownRevealState; readonly reveal: Reveal }) {
  const t = useTexts(cardTexts)
  const [ready, setReady] = useState(false)
  const onShown = useCallback(() => setReady(true), [])
  const { hide } = reveal
  return (
    <>
      <div className="flex items-center gap-1">
        <div className="min-w-0 flex-1">
          <Countdown until={state.until} of={CARD_REVEAL_SECONDS} label={t('numberAndCvv')} say={(seconds) => t('hiddenIn', { seconds })} onEnd={hide} />
        </div>
        <button type="button" className="icon-btn -mr-2.5 !size-9 shrink-0" aria-label={t('hide')} title={t('hide')} onClick={hide}>
          <EyeOff size={16} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <div className="relative mt-1 min-h-[152px]">
        {ready ? null : (
          <div role="status" className="absolute inset-0 grid content-around py-2">
            <span className="sr-only">{t('revealAsking')}</span>
            {[0, 1, 2, 3].map((row) => (
              <Skeleton key={row} className="h-4 w-full" />
            ))}
          </div>
        )}
        <div className={ready ? '' : 'opacity-0'}>
          {state.info.form === 'frame' ? (
            <IssuerFrame info={state.info} onShown={onShown} onMasked={hide} />
          ) : (
            <Suspense>
              <IssuerElements info={state.info} onShown={onShown} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}
