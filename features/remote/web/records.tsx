import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ServiceTask } from '#features/services/contract.ts'
import { remoteTexts } from '../texts.ts'
import { useRemoteRecords } from './use-remote.ts'

/** Every use with what became of it and what it cost. */
export function RemoteRecords() {
  const t = useTexts(remoteTexts)
  const list = useRemoteRecords()
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns: readonly Column<ServiceTask>[] = [
    { key: 'time', header: t('remoteWhen'), cell: (row) => <Time at={row.createdTime} /> },
    { key: 'what', header: t('remoteWhat'), mobile: 'title', cell: (row) => row.productName },
    { key: 'state', header: t('remoteState'), cell: (row) => <span className="text-fg-2">{row.causeName || row.stateName}</span> },
    { key: 'cost', header: t('remoteCharged'), mobile: 'primary', align: 'right', cell: (row) => <RecordCost row={row} /> },
  ]
  return (
    <section aria-labelledby="remote-records" className="mt-10 min-w-0">
      <h2 id="remote-records" className="mb-3 text-16 font-bold">
        {t('remoteRecords')}
      </h2>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('remoteRecords')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('remoteNone')} body={t('remoteNoneBody')} />}
          />
          {rows.length ? <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} /> : null}
        </>
      )}
    </section>
  )
}

function RecordCost({ row }: { readonly row: ServiceTask }) {
  const t = useTexts(remoteTexts)
  if (row.free !== 'no') return <span className={row.free === 'back' ? 'text-fg-3 line-through' : ''}>{t('remoteFree')}</span>
  const kept = row.charged !== '0'
  const isHeld = row.money === 'held'
  const note = isHeld ? t('remoteHeld') : row.returned === '0' ? '' : t('remoteReturned', { amount: displayUsd(row.returned) })
  return (
    <span className="inline-grid justify-items-end">
      <span className={`num ${kept || isHeld ? '' : 'text-fg-3 line-through'}`}>{displayUsd(kept ? row.charged : row.amount)}</span>
      {note ? <span className="text-12 text-fg-3">{note}</span> : null}
    </span>
  )
}
