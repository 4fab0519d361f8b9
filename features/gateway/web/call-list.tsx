import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { CallLine } from './call-line.tsx'
import { useCalls, type CallWish } from './queries.ts'

interface CallListProps {
  readonly wish: CallWish
  readonly onCall: (callId: string) => void
}

/** Calls that fit the filters, newest first. A rare kind among very many is looked for piece by piece, and the page says how far it is. */
export function CallList({ wish, onCall }: CallListProps) {
  const t = useTexts(gatewayTexts)
  const calls = useCalls(wish)
  if (calls.error) return <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />
  if (!calls.data)
    return (
      <div className="card">
        <SkeletonRows rows={6} />
      </div>
    )
  const rows = calls.data.pages.flatMap((page) => page.rowList)
  const searchedTo = calls.data.pages.at(-1)?.searchedTo
  return (
    <>
      <div className="card">
        {rows.length ? (
          <ul className="divide-y divide-line px-2 py-1" aria-label={t('view_calls')}>
            {rows.map((row) => (
              <CallLine key={row.callId} row={row} withModel onCall={onCall} />
            ))}
          </ul>
        ) : (
          <EmptyState title={calls.hasNextPage ? t('callsSearching') : t('callsEmpty')} body={calls.hasNextPage ? undefined : t('callsEmptyHint')} />
        )}
      </div>
      {calls.hasNextPage && searchedTo ? (
        <p className="num mt-3 text-center text-13 text-fg-3">{t('callsSearched', { time: timeDisplay(searchedTo) })}</p>
      ) : null}
      {rows.length || calls.hasNextPage ? (
        <ListEnd hasMore={calls.hasNextPage} loading={calls.isFetchingNextPage} onMore={() => void calls.fetchNextPage()} />
      ) : null}
    </>
  )
}

/** What was typed as an amount, where it is one. */
export function amountIn(text: string): string | undefined {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) return undefined
  return parseUsd(text) > 0n ? text : undefined
}
