import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { NumberRow } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { useNumberRecords } from './use-numbers.ts'
import { formatMessageCode, formatPhoneNumber } from './words.ts'
import { NUMBERS_SERVICE_TEXT, NUMBERS_STATE_TEXT } from '../state-texts.ts'

/** Every number there was, and what came of it. */
export function NumberRecords() {
  const t = useTexts(numberTexts)
  const list = useNumberRecords()
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns: readonly Column<NumberRow>[] = [
    {
      key: 'time',
      header: t('col_time'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.appliedTime).slice(5)}</span>,
    },
    { key: 'service', header: t('col_service'), mobile: 'title', cell: (row) => t(NUMBERS_SERVICE_TEXT[row.service]) },
    {
      key: 'number',
      header: t('col_number'),
      cell: (row) => <span className="num text-13 whitespace-nowrap">{row.number ? formatPhoneNumber(row.number) : '—'}</span>,
    },
    { key: 'code', header: t('col_code'), mobile: 'primary', cell: (row) => <RecordCode row={row} /> },
    {
      key: 'result',
      header: t('uses'),
      align: 'right',
      cell: (row) => <span className={`num text-13 ${row.returned ? 'text-fg-3' : ''}`}>{t('chance', { n: row.returned ? '0' : '1' })}</span>,
    },
  ]
  return (
    <section aria-label={t('records')} className="min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('records')}</h2>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('records')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('noRecords')} body={t('noRecordsAbout')} />}
          />
          {list.hasNextPage ? <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} /> : null}
        </>
      )}
    </section>
  )
}

function RecordCode({ row }: { readonly row: NumberRow }) {
  const t = useTexts(numberTexts)
  if (row.code) {
    return (
      <span className="inline-flex items-center gap-1 whitespace-nowrap">
        <b className="num">{formatMessageCode(row.code)}</b>
        <CopyButton text={row.code} label={t('copyCode')} iconOnly className="!size-8 mobile:!size-11" />
      </span>
    )
  }
  if (row.state === 'received') return <span className="text-13 text-fg-2">{row.message ? t('state_received') : t('hiddenCode')}</span>
  return <span className="text-13 text-fg-2">{t(NUMBERS_STATE_TEXT[row.state])}</span>
}
