import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'
import { CallLine } from '../requests/call-line.tsx'
import { useCalls, type CallQuery } from '../queries.ts'

interface DayCallsProps {
  readonly wish: CallQuery
  readonly withModel: boolean
  readonly onCall: (callId: string) => void
}

/** The single calls of a row of sums; each opens its receipt. */
export function DayCalls({ wish, withModel, onCall }: DayCallsProps) {
  const t = useTexts(gatewayTexts)
  const calls = useCalls(wish)
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
          <CallLine key={row.callId} row={row} withModel={withModel} onCall={onCall} />
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
