import { KeyRound } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { formatClock, useCountdown } from '#ui/time/use-countdown.ts'
import { cardTexts } from '../../texts.ts'
import { useChallenges } from '../use-cards.ts'

type Row = NonNullable<ReturnType<typeof useChallenges>['data']>[number]

/** Codes that a shop's bank waits for: above everything, because they live for minutes. */
export function Challenges() {
  const rows = useChallenges(true).data ?? []
  return (
    <div role="status" className="grid gap-3 empty:hidden [&:not(:empty)]:mb-5">
      {rows.map((row) => (
        <Challenge key={row.id} row={row} />
      ))}
    </div>
  )
}

function Challenge({ row }: { readonly row: Row }) {
  const t = useTexts(cardTexts)
  const seconds = useCountdown(Date.parse(row.expiresTime))
  if (seconds === 0) return null
  return (
    <div className="card flex flex-wrap items-center gap-x-6 gap-y-3 border-brand px-5 py-4 mobile:px-4">
      <KeyRound size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brand" />
      <div className="min-w-0 flex-[1_1_220px]">
        <p className="text-14 font-semibold">{t('codeTitle', { merchant: row.merchant, amount: displayUsd(row.amount) })}</p>
        <p className="text-13 text-fg-2">
          {t('codeAbout', { last4: row.last4 })}{' '}
          <span className="tabular" aria-live="off">
            {t('codeLeft', { left: formatClock(seconds) })}
          </span>
        </p>
      </div>
      <div className="flex items-center gap-4">
        <span className="num text-28 font-semibold tracking-[0.08em]">{row.code}</span>
        <CopyButton text={row.code} word={t('copyCode')} label={t('copyCodeOf', { merchant: row.merchant })} variant="primary" size="md" />
      </div>
    </div>
  )
}
