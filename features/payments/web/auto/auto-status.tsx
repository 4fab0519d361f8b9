import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import type { AutoView } from '../../contract-auto.ts'
import { autoTexts } from '../../texts-auto.ts'
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

/** How it stands: what needs a look, then the figures that were agreed to and what of them is used. */
export function AutoStatus({ view }: { readonly view: AutoView }) {
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
