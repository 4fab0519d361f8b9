import { formatCount } from '#platform/shared/show-money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useCountdown } from '#ui/time/countdown.tsx'
import type { NumberRow, NumberStat } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { formatWaitSeconds } from './words.ts'
import { NUMBERS_SERVICE_TEXT } from '../state-texts.ts'

type MeasuredWaits = NumberStat['services'][number]['measured']
const WAIT_STEP_S = 120

interface WaitOddsProps {
  readonly row: NumberRow
  readonly measured: MeasuredWaits | undefined
  readonly minutes: number
}

/** Measured success rate and delays of messages, with the position of the current wait. */
export function WaitOdds({ row, measured, minutes }: WaitOddsProps) {
  const t = useTexts(numberTexts)
  const waiting = row.state === 'waiting' && row.startedTime !== null && row.deadlineTime !== null
  const left = useCountdown(waiting ? Date.parse(row.deadlineTime!) : 0)
  if (!measured || (row.state !== 'waiting' && row.state !== 'wanted')) return null
  const elapsed = Math.max(0, minutes * 60 - left)
  const { percent, half, waits, days, count, received } = measured
  return (
    <section aria-label={t('odds')}>
      <h2 className="text-16 font-bold">{t('odds')}</h2>
      {percent === null || half === null ? (
        <p className="mt-1 text-14 text-fg-2">{t('oddsFew', { days: String(days) })}</p>
      ) : (
        <>
          <p className="mt-1 text-14">
            {t('oddsText', {
              days: String(days),
              service: t(NUMBERS_SERVICE_TEXT[row.service]),
              count: formatCount(count),
              received: formatCount(received),
              percent: String(percent),
              half: formatWaitSeconds(t, half),
            })}
          </p>
          <Bars waits={waits} at={waiting ? Math.floor(elapsed / WAIT_STEP_S) : -1} minutes={minutes} />
          {waiting ? (
            <p className="mt-2 text-13 text-fg-2">
              {t('oddsNow', { now: formatWaitSeconds(t, elapsed), percent: String(computeLaterPercent(measured, elapsed)) })}{' '}
              <b className="text-fg">{t('oddsWait')}</b>
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}

/** Share of numbers still waiting at this moment that got a message later. */
export function computeLaterPercent({ waits, count, received }: Pick<MeasuredWaits, 'waits' | 'count' | 'received'>, elapsed: number): number {
  const at = Math.floor(elapsed / WAIT_STEP_S)
  const later = waits.slice(at).reduce((all, n) => all + n, 0)
  const never = count - received
  return later + never === 0 ? 0 : Math.round((later / (later + never)) * 100)
}

function Bars({ waits, at, minutes }: { readonly waits: readonly number[]; readonly at: number; readonly minutes: number }) {
  const t = useTexts(numberTexts)
  const most = Math.max(1, ...waits)
  return (
    <div className="mt-3 max-w-[364px]" aria-hidden="true">
      <div className="flex h-[68px] items-end gap-1">
        {waits.map((n, index) => (
          <span key={index} className={`flex-1 ${index === at ? 'bg-brand' : 'bg-control'}`} style={{ height: `${Math.max(3, (n / most) * 100)}%` }} />
        ))}
      </div>
      <div className="num mt-1 flex justify-between border-t border-line pt-1 text-12 text-fg-3">
        <span>0</span>
        <span>{t('minutesShort', { minutes: String(Math.round(minutes / 2)) })}</span>
        <span>{t('minutesShort', { minutes: String(minutes) })}</span>
      </div>
    </div>
  )
}
