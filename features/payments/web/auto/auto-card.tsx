import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useFeature } from '#platform/web/state/flags.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { AutoView } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
import { AutoActions } from './auto-actions.tsx'
import { AutoDialog } from './auto-dialog.tsx'
import { AutoHistory } from './auto-history.tsx'
import { AutoStatus } from './auto-status.tsx'
import { useAuto } from './use-auto.ts'

const AUTO_STATE_TEXT = {
  active: 'auto_state_active',
  paused: 'auto_state_paused',
  off: 'auto_state_off',
  signing: 'auto_state_signing',
  attention: 'auto_state_attention',
  stopped: 'auto_state_stopped',
} as const

const ANCHOR = 'auto-recharge'
type AutoCardState = AutoView['state'] | 'paused'
const tones: Readonly<Record<AutoCardState, Tone>> = {
  off: 'neutral',
  signing: 'info',
  active: 'success',
  attention: 'warning',
  stopped: 'neutral',
  paused: 'warning',
}

/** Auto recharge on the page of the balance: what is agreed to, where it stands, one press to stop it. Nothing while it is not offered. */
export function AutoCard() {
  const t = useTexts(autoTexts)
  const isOn = useFeature('autoRecharge')
  const auto = useAuto()
  const [editing, setEditing] = useState(false)
  const card = useRef<HTMLElement>(null)
  useArrival(card)
  const view = auto.data
  // Users with a plan always see the card, whatever the feature flag: stopping must stay possible.
  const hasIt = view !== undefined && (view.state !== 'off' || view.charges.length > 0)
  if (view ? !hasIt && !(isOn && view.open) : !isOn) return null
  const shown: AutoCardState = view?.pausedUntil ? 'paused' : (view?.state ?? 'off')
  return (
    <section ref={card} id={ANCHOR} aria-labelledby={`${ANCHOR}-title`} className="card scroll-mt-20 p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_280px]">
          <h2 id={`${ANCHOR}-title`} className="flex flex-wrap items-center gap-2 text-16 font-semibold">
            {t('auto_title')}
            {view ? <Badge tone={tones[shown]}>{t(AUTO_STATE_TEXT[shown])}</Badge> : null}
          </h2>
          <p className="mt-1 text-13 text-fg-3">
            {view ? (
              t(view.state === 'off' ? 'auto_about' : 'auto_rule', { threshold: displayUsd(view.plan.threshold), amount: displayUsd(view.plan.amount) })
            ) : (
              <Skeleton className="inline-block h-4 w-64 max-w-full" />
            )}{' '}
            <Link to="/help/$slug" params={{ slug: 'auto-recharge' }} target="_blank" className="link">
              {t('auto_help')}
            </Link>
          </p>
        </div>
        {view ? <AutoActions view={view} canStart={isOn && view.open} onEdit={() => setEditing(true)} /> : null}
      </div>
      {auto.error && !view ? <ErrorState error={auto.error} title={t('auto_failed')} onRetry={() => void auto.refetch()} /> : null}
      {view ? <AutoStatus view={view} /> : null}
      {view?.charges.length ? <AutoHistory charges={view.charges} /> : null}
      {view ? <AutoDialog open={editing} view={view} onClose={() => setEditing(false)} /> : null}
    </section>
  )
}

/** Mails and the channel's page lead here: the page may have been drawn before this card was. */
function useArrival(card: RefObject<HTMLElement | null>) {
  const [back, setBack] = useQueryParam<string>('auto', '')
  const seen = useRef(false)
  useEffect(() => {
    if (seen.current || !card.current || (location.hash !== `#${ANCHOR}` && !back)) return
    seen.current = true
    card.current.scrollIntoView({ block: 'center' })
    if (back) setBack('')
  })
}
