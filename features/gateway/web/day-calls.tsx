import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { CallRow } from '../contract.ts'
import { gatewayTexts } from '../texts.ts'
import { costText, countText } from './figures.ts'
import { useCalls } from './queries.ts'

interface DayCallsProps {
  readonly day: string
  readonly model: string
  readonly keyId: string
  readonly onCall: (callId: string) => void
}

/** The single calls of one day and model; each opens its receipt. */
export function DayCalls({ day, model, keyId, onCall }: DayCallsProps) {
  const t = useTexts(gatewayTexts)
  const calls = useCalls(day, model, keyId)
  if (calls.error)
    return (
      <div className="p-3">
        <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />
      </div>
    )
  if (!calls.data) return <SkeletonRows rows={3} />
  const rows = calls.data.pages.flatMap((page) => page.rowList)
  return (
    <div className="px-2 py-1">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <CallLine key={row.callId} row={row} onCall={onCall} />
        ))}
      </ul>
      {calls.hasNextPage ? (
        <div className="py-2 text-center">
          <Button variant="ghost" size="sm" loading={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
            {t('moreCalls')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function CallLine({ row, onCall }: { readonly row: CallRow; readonly onCall: (callId: string) => void }) {
  const t = useTexts(gatewayTexts)
  const good = row.outcome === 'completed'
  return (
    <li>
      <button
        type="button"
        aria-label={t('callOpen', { id: row.callId })}
        onClick={() => onCall(row.callId)}
        className="flex w-full flex-wrap items-baseline gap-x-5 gap-y-0.5 rounded-tag px-2 py-2.5 text-left text-13 -outline-offset-2 hover:bg-surface"
      >
        <Time at={row.startedAt} show="second" className="text-fg-2" />
        <span className="min-w-0 flex-1 truncate text-fg-2">{row.keyName}</span>
        <span className="num text-fg-3">
          {t('colIn')} {countText(row.inputTokens)} · {t('colOut')} {countText(row.outputTokens)}
        </span>
        {good ? null : <span className="text-warning">{t(outcomeKey(row))}</span>}
        <span className="num min-w-20 text-right font-medium">{costText(row.amount)}</span>
      </button>
    </li>
  )
}

/** A failure that cost nothing says so. */
export function outcomeKey({ outcome, amount }: Pick<CallRow, 'outcome' | 'amount'>) {
  return outcome === 'upstream_failed' && amount !== '0' ? ('out_upstream_failed_paid' as const) : (`out_${outcome}` as const)
}
