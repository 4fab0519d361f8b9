import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ProxyUse } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { formatBytes } from './bytes.ts'
import { useUses } from './use-proxy.ts'

/** Every use with its traffic. Where it went is not kept, so it is not here. */
export function UsesTab() {
  const t = useTexts(proxyTexts)
  const { data, isError, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useUses()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64" />
  const rows = data.pages.flatMap((page) => page.rowList)
  const minutes = ({ startedTime, endedTime }: ProxyUse) => Math.max(0, Math.round((Date.parse(endedTime) - Date.parse(startedTime)) / 60_000))
  const columns: readonly Column<ProxyUse>[] = [
    { key: 'start', header: t('usesStart'), mobile: 'title', cell: (use) => <Time at={use.startedTime} /> },
    {
      key: 'state',
      header: t('usesState'),
      mobile: 'primary',
      cell: (use) => <Badge tone={use.isLive ? 'brand' : 'neutral'}>{t(use.isLive ? 'usesLive' : 'usesEnded')}</Badge>,
    },
    { key: 'exit', header: t('networkExit'), cell: (use) => use.exit },
    { key: 'minutes', header: t('usesMinutes'), align: 'right', cell: (use) => <span className="num">{minutes(use)}</span> },
    { key: 'up', header: t('usesUp'), align: 'right', cell: (use) => <span className="num">{formatBytes(use.upBytes)}</span> },
    { key: 'down', header: t('usesDown'), align: 'right', cell: (use) => <span className="num">{formatBytes(use.downBytes)}</span> },
    { key: 'tunnels', header: t('networkTunnels'), align: 'right', cell: (use) => <span className="num">{use.tunnels}</span> },
    { key: 'refused', header: t('networkRefused'), align: 'right', cell: (use) => <span className="num">{use.refused}</span> },
  ]
  return (
    <>
      <DataTable
        caption={t('networkAccount')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        instead={rows.length ? undefined : <EmptyState title={t('usesNone')} body={t('usesNoneBody')} />}
      />
      {rows.length ? <ListEnd hasMore={hasNextPage} loading={isFetchingNextPage} onMore={() => void fetchNextPage()} /> : null}
      <p className="mt-2 text-13 text-fg-3">{t('learnKept')}</p>
    </>
  )
}
