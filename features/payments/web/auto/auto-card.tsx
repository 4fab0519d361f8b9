import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { RefObject, ReactNode } from 'react'
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
import { AutoDialog } from './auto-dialog.tsx'
import { AutoHistory } from './auto-history.tsx'
import { useAuto, autoApi, useAutoAction } from './use-auto.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Button } from '#ui/button.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { PaymentsNotice } from '../notice.tsx'
import { payDisplay } from '../pay/pay-money.tsx'
import { computeAutoPrice } from './auto-form.ts'

const AUTO_ATTENTION_TEXT = {
  declined: 'auto_attention_declined',
  disputed: 'auto_attention_disputed',
  mismatch: 'auto_attention_mismatch',
  authentication: 'auto_attention_authentication',
  ended: 'auto_attention_ended',
} as const

/** Status of the plan: items that need attention, then the agreed figures and their current use. */
function AutoStatus({ view }: { readonly view: AutoView }) {
  const t = useTexts(autoTexts)
  if (view.state === 'off') return null
  return (
    <div className="mt-4 grid gap-4">
      <StatusNote view={view} />
      {view.state === 'signing' ? null : <Figures view={view} />}
      {view.state === 'active' ? (
        <p className="text-13 text-fg-3">{view.leadMinutes ? t('auto_lead', { minutes: view.leadMinutes }) : t('auto_lead_now')}</p>
      ) : null}
    </div>
  )
}

function StatusNote({ view: { state, attention, undoUntil, pausedUntil } }: { readonly view: AutoView }) {
  const t = useTexts(autoTexts)
  if (attention)
    return (
      <div role="alert">
        <PaymentsNotice tone="warning">{t(AUTO_ATTENTION_TEXT[attention])}</PaymentsNotice>
      </div>
    )
  const text =
    state === 'signing'
      ? `${t('auto_signing_about')} ${t('auto_signing_timeout')}`
      : undoUntil
        ? t('auto_stopped_about', { time: displayTime(undoUntil) })
        : pausedUntil
          ? t('auto_paused_about', { time: displayTime(pausedUntil) })
          : undefined
  return (
    <div role="status" className="empty:hidden">
      {text ? <PaymentsNotice tone={pausedUntil ? 'warning' : 'info'}>{text}</PaymentsNotice> : null}
    </div>
  )
}

function Figures({ view: { method, plan, used, bounds } }: { readonly view: AutoView }) {
  const t = useTexts(autoTexts)
  const price = computeAutoPrice(plan.amount, method ?? undefined)
  return (
    <dl className="grid grid-cols-[1.4fr_1fr_1fr] gap-x-6 gap-y-4 mobile:grid-cols-2">
      {method ? (
        <Figure
          label={t('auto_from')}
          className="mobile:col-span-2"
          value={
            <span className="flex items-center gap-2">
              <img src={method.img} alt="" width={22} height={22} className="shrink-0" />
              <span className={`min-w-0 [overflow-wrap:anywhere] ${method.label ? 'num' : ''}`}>{method.label || method.name}</span>
            </span>
          }
          note={price ? t('auto_each', { pay: payDisplay(price.payAmount, method.payCurrency), fee: displayUsd(price.fee) }) : undefined}
        />
      ) : null}
      <Figure
        label={t('auto_today')}
        value={<span className="num">{displayUsd(used.day)}</span>}
        note={t('auto_of', { most: displayUsd(plan.dayMost) })}
        more={used.charges ? t('auto_charges_of', { count: used.charges, most: bounds.perDay }) : undefined}
      />
      <Figure label={t('auto_month')} value={<span className="num">{displayUsd(used.month)}</span>} note={t('auto_of', { most: displayUsd(plan.monthMost) })} />
    </dl>
  )
}

interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  readonly note?: string | undefined
  readonly more?: string | undefined
  readonly className?: string
}

function Figure({ label, value, note, more, className = '' }: FigureProps) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-13 text-fg-3">{label}</dt>
      <dd className="mt-0.5">
        <span className="text-16 font-semibold">{value}</span>
        {note ? <span className="block text-13 text-fg-3">{note}</span> : null}
        {more ? <span className="block text-13 text-fg-3">{more}</span> : null}
      </dd>
    </div>
  )
}

/** One-press actions: stopping needs no confirmation, because it can be undone. */
function AutoActions({ view, canStart, onEdit }: { readonly view: AutoView; readonly canStart: boolean; readonly onEdit: () => void }) {
  const t = useTexts(autoTexts)
  const stop = useAutoAction(() => autoApi.stopAuto({}), view.state === 'signing' ? undefined : t('auto_stopped_done'))
  const resume = useAutoAction(() => autoApi.resumeAuto({}), t('auto_resumed_done'))
  const { state, attention } = view
  const gone = attention === 'ended'
  return (
    <div className="flex flex-wrap gap-2">
      {state === 'off' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_setup')}
        </Button>
      ) : null}
      {state === 'signing' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_again')}
        </Button>
      ) : null}
      {state === 'stopped' ? (
        <Button variant="secondary" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('auto_undo')}
        </Button>
      ) : null}
      {state === 'attention' && attention === 'authentication' ? <Button onClick={() => openDialog('recharge')}>{t('auto_by_hand')}</Button> : null}
      {state === 'attention' && !gone ? (
        <Button variant="secondary" loading={resume.isPending} onClick={() => resume.mutate()}>
          {t('auto_resume')}
        </Button>
      ) : null}
      {state === 'attention' && canStart ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_again')}
        </Button>
      ) : null}
      {state === 'active' ? (
        <Button variant="secondary" onClick={onEdit}>
          {t('auto_change')}
        </Button>
      ) : null}
      {state === 'active' || state === 'attention' || state === 'signing' ? (
        <Button variant="ghost" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t(state === 'signing' ? 'auto_give_up' : 'auto_stop')}
        </Button>
      ) : null}
    </div>
  )
}

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

/** Auto recharge on the balance page: agreed terms, status, and a button to stop it. Renders nothing if it is not offered. */
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

/** Mails and the channel's page link here: the page may be rendered before this card. */
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
