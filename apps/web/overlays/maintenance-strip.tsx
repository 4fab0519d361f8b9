import { Wrench } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { translate, useTexts } from '#platform/web/i18n.ts'
import { askNotice } from '#platform/web/state/notice.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { useSiteMaintenance, watchMaintenance, type Maintenance } from '../maintenance.ts'
import { layerTexts } from '../layer-texts.ts'
import { markStripReported } from './strip-place.ts'
import { resolveTextKey, type TextKeyOf } from '#platform/shared/texts.ts'

const CLOSED_TEXT = { recharge: 'closed_recharge', openCard: 'closed_openCard', withdraw: 'closed_withdraw', revealCard: 'closed_revealCard' } as const

/** Strip above every page while something is paused: the subject, the end, and a button for details. */
export function MaintenanceStrip() {
  const t = useTexts(layerTexts)
  const now = useSiteMaintenance((state) => state.now)
  useEffect(() => watchMaintenance(() => markStripReported('maintenance')), [])
  const place = document.getElementById('strip')
  if (!now || !place) return null
  return createPortal(
    <aside aria-label={t('maintainTitle')} className="border-b border-line bg-surface text-14">
      <div className="mx-auto flex max-w-[1488px] flex-wrap items-center gap-x-3 px-6 py-1.5 mobile:px-5">
        <Wrench size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-warning" />
        <p className="min-w-0 flex-1 py-1">
          <strong className="font-semibold">{now.endTime ? t('maintainUntil', { end: displayTime(now.endTime) }) : t('maintainNow')}</strong>
          {now.message ? <span className="ml-2 text-fg-2">{now.message}</span> : null}
        </p>
        <button type="button" className="link min-h-8 shrink-0 px-1 mobile:min-h-11" onClick={() => showMaintenance(now)}>
          {t('maintainMore')}
        </button>
      </div>
    </aside>,
    place,
  )
}

/** The notice: start, end, and the paused and unaffected features. */
function showMaintenance(now: Maintenance): void {
  const t = (key: TextKeyOf<typeof layerTexts>) => translate(layerTexts, key)
  const closed = now.closed.flatMap((name) => (name in CLOSED_TEXT ? [t(resolveTextKey(CLOSED_TEXT, name))] : []))
  void askNotice({
    kind: 'warning',
    title: t('maintainTitle'),
    action: t('gotIt'),
    body: (
      <>
        {now.message ? <p className="mb-3 text-fg">{now.message}</p> : null}
        <dl className="grid gap-1.5">
          {now.startTime ? <Row label={t('maintainFrom')} value={<Time at={now.startTime} />} /> : null}
          {now.endTime ? <Row label={t('maintainTo')} value={<Time at={now.endTime} />} /> : null}
          {closed.length ? <Row label={t('maintainClosed')} value={closed.join(' \u00b7 ')} /> : null}
        </dl>
        <p className="mt-3 text-13 text-fg-3">{t('maintainOpen')}</p>
      </>
    ),
  })
}

function Row({ label, value }: { readonly label: string; readonly value: ReactNode }) {
  return (
    <div className="flex justify-between gap-6">
      <dt className="shrink-0 text-fg-3">{label}</dt>
      <dd className="min-w-0 text-right text-fg">{value}</dd>
    </div>
  )
}
