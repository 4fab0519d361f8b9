import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { formatClock, useCountdown } from '#ui/time/use-countdown.ts'
import { numberTexts } from '../texts.ts'
import { formatWaitSeconds } from './words.ts'

/** Countdown to the server's deadline, announced to screen readers at half time, at one minute and at the end. */
export function NumberClock({ since, until }: { readonly since: number; readonly until: number }) {
  const t = useTexts(numberTexts)
  const seconds = useCountdown(until)
  const all = Math.max(1, Math.round((until - since) / 1000))
  const share = Math.min(1, seconds / all)
  const spoken = seconds === Math.floor(all / 2) || seconds === 60 || seconds === 0
  return (
    <>
      <div className="flex items-end justify-between gap-4">
        <span className="text-14">{t(seconds ? 'valid' : 'validEnded')}</span>
        <span className="num text-28 font-medium" role="timer" aria-live="off">
          {formatClock(seconds)}
        </span>
      </div>
      <span className="my-1 block h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className={`block h-full rounded-full ${share < 0.1 ? 'bg-warning' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
      </span>
      <p className="num text-12 text-fg-3">{t('validFrom', { from: displayTime(since, 'second').slice(11), until: displayTime(until, 'second').slice(11) })}</p>
      <span className="sr-only" role="status">
        {spoken ? formatWaitSeconds(t, seconds) : ''}
      </span>
    </>
  )
}
