import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Badge, Dot } from '#ui/badge.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { gatewayDeskContract } from '#features/gateway/contract-desk.console.ts'
import { createColumns } from '../kit/list/columns.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { FactRows } from '../kit/marks.tsx'
import { modelTexts } from '../prices/texts.ts'
import { modelsApi } from '../prices/use-draft.ts'

type Day = ReplyOf<(typeof gatewayDeskContract)['books']>['rows'][number]
const column = createColumns<Day>()

/** Daily comparison of three books: charged rows, the ledger, and the vendors' figures; each day links to its models. */
export function BooksScreen() {
  const t = useTexts(modelTexts)
  return (
    <ListScreen<Day>
      name="books"
      title={t('booksTitle')}
      about={t('booksAbout')}
      load={({ after, limit }, signal) => modelsApi.books({ limit, ...(after === undefined ? {} : { after }) }, { signal })}
      file="/operator/books"
      rowKey={({ day }) => day}
      columns={[
        column.num('day', t('colDay'), { mobile: 'title' }),
        column.usd('charged', t('colCharged')),
        column.usd('posted', t('colPosted')),
        column.usd('received', t('colReceived')),
        column.usd('paidBack', t('colPaidBack')),
        {
          key: 'state',
          header: t('colVerdict'),
          mobile: 'primary',
          cell: ({ alarms }) =>
            alarms.length ? <Badge tone="danger">{t('alarmsN', { n: alarms.length })}</Badge> : <Badge tone="success">{t('agrees')}</Badge>,
          csv: ({ alarms }) => alarms.join('; '),
        },
      ]}
      empty={{ title: t('booksNone'), body: t('booksNoneBody') }}
      sheet={({ id, row, close }) => <DaySheet day={id} row={row} onClose={close} />}
    />
  )
}

function DaySheet({ day, row, onClose }: { readonly day: string; readonly row: Day | undefined; readonly onClose: () => void }) {
  const t = useTexts(modelTexts)
  const read = useQuery({ queryKey: ['books', day], queryFn: ({ signal }) => modelsApi.bookDay({ day }, { signal }) })
  return (
    <SideSheet title={t('bookOf', { day })} about={t('utcDay')} onClose={onClose}>
      {row ? (
        <>
          <FactRows
            rows={[
              [t('colCharged'), displayUsd(row.charged)],
              [t('colPosted'), displayUsd(row.posted)],
              [t('sumsInAll'), displayUsd(row.sums)],
              [t('capturedInAll'), displayUsd(row.captured)],
            ]}
          />
          <p className={`mt-2 text-13 ${row.sums === row.captured ? 'text-fg-2' : 'font-semibold text-danger'}`}>
            {t(row.sums === row.captured ? 'ledgerAgrees' : 'ledgerDrifts')}
          </p>
          {row.alarms.map((alarm) => (
            <p key={alarm} className="num mt-1 text-13 text-danger">
              {alarm}
            </p>
          ))}
        </>
      ) : null}
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={6} /> : null}
      {read.data && !read.data.rows.length ? <EmptyState title={t('bookEmpty')} /> : null}
      {read.data?.rows.length ? (
        <table className="mt-4 w-full border-collapse text-13 tabular">
          <caption className="sr-only">{t('bookOf', { day })}</caption>
          <thead className="text-12 text-fg-3">
            <tr>
              {(['colModel', 'colCharge', 'colTheirs', 'colMargin', 'colDrift'] as const).map((key, at) => (
                <th key={key} scope="col" className={`h-8 font-medium ${at ? 'pl-3 text-right' : 'text-left'}`}>
                  {t(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {read.data.rows.map((each) => (
              <tr key={`${each.vendor} ${each.model}`} className="ops-row">
                <th scope="row" className="text-left font-normal">
                  <Dot color={getVendorColor(each.vendor)} className="mr-2" />
                  <span className="num">{each.model}</span>
                  <span className="block text-12 text-fg-3">{t('callsOf', { n: each.calls, est: each.estimated })}</span>
                </th>
                <td className="num pl-3 text-right">{displayUsd(each.charge)}</td>
                <td className="num pl-3 text-right text-fg-2">{each.theirCost === null ? '—' : displayUsd(each.theirCost)}</td>
                <td className={`num pl-3 text-right ${each.margin?.startsWith('-') ? 'font-semibold text-danger' : ''}`}>
                  {each.margin === null ? '—' : displayUsd(each.margin)}
                </td>
                <td className="num pl-3 text-right text-fg-3">{each.tokenDrift ?? '—'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </SideSheet>
  )
}
