import { Link, useNavigate } from '@tanstack/react-router'
import { Download, FileText } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { billTexts } from '../../texts-bills.ts'
import { billsApi } from '../cards-api.ts'
import { OfflineLine } from '../offline-line.tsx'
import { useCards } from '../use-cards.ts'
import { BillFilters } from './bill-filters.tsx'
import { BillList } from './bill-list.tsx'
import { BillSheet } from './bill-sheet.tsx'
import { BillSums } from './bill-sums.tsx'
import { useBillFilters } from './use-bill-filters.ts'
import { useBills, useBillTotals } from './use-bills.ts'
import { useSaveFile } from './use-save.ts'

const PapersDialog = lazy(() => import('./papers-dialog.tsx').then((m) => ({ default: m.PapersDialog })))
const MANY = 10

/** /bill: the book of one card or of all, narrowed by the address; its sums are those of its rows. */
export function BillsPage() {
  const t = useTexts(billTexts)
  useTitle(t('bills'))
  const [turn, setTurn] = useState(0)
  const [papers, setPapers] = useState(false)
  const [bill, setBill] = useQueryParam<string>('bill', '')
  const navigate = useNavigate()
  const filters = useBillFilters()
  const cards = useCards()
  const { wish } = filters
  const bills = useBills(wish)
  const totals = useBillTotals(wish)
  const { busy, save } = useSaveFile()
  const rows = bills.data?.pages.flatMap((page) => page.rowList) ?? []
  const isFiltered = Object.keys(wish).some((name) => name !== 'cardId') || (wish.cardId !== undefined && (cards.data?.length ?? 0) > 1)
  const clear = () => void navigate({ to: '/bill', search: {}, replace: true }).then(() => setTurn((now) => now + 1))
  return (
    <section aria-labelledby="bills-title">
      <div className="mb-5 flex min-h-10 flex-wrap items-center justify-between gap-3">
        <h1 id="bills-title" className="text-20 font-bold">
          {t('bills')}
        </h1>
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setPapers(true)}>
            <FileText size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('papers')}
          </Button>
          <Button
            variant="secondary"
            loading={busy === 'csv'}
            disabled={rows.length === 0}
            onClick={() => void save('csv', () => billsApi.transactionCsv(wish))}
          >
            <Download size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('csv')}
          </Button>
        </div>
      </div>
      <OfflineLine at={bills.dataUpdatedAt} />
      <BillFilters key={turn} filters={filters} cards={cards.data ?? []} />
      {bills.isError && !rows.length ? (
        <ErrorState error={bills.error} title={t('billsFailed')} onRetry={() => void bills.refetch()} />
      ) : (
        <div aria-busy={bills.isFetching}>
          {totals.isError ? null : <BillSums totals={totals.data} />}
          <BillList
            caption={t('bills')}
            rows={rows}
            onOpen={setBill}
            withCard={wish.cardId === undefined && (cards.data?.length ?? 0) > 1}
            instead={bills.isPending ? <SkeletonRows rows={8} /> : rows.length ? undefined : <NoBills onClear={isFiltered ? clear : undefined} />}
          />
          {rows.length >= MANY || bills.hasNextPage ? (
            <ListEnd hasMore={bills.hasNextPage} loading={bills.isFetchingNextPage} onMore={() => void bills.fetchNextPage()} />
          ) : null}
        </div>
      )}
      <BillSheet id={bill} onClose={() => setBill('')} />
      {papers ? (
        <Suspense>
          <PapersDialog open onClose={() => setPapers(false)} />
        </Suspense>
      ) : null}
    </section>
  )
}

/** Empty state: no bills, or none that match the filters. */
function NoBills({ onClear }: { readonly onClear: (() => void) | undefined }) {
  const t = useTexts(billTexts)
  if (onClear)
    return (
      <EmptyState
        title={t('none')}
        body={t('noneAbout')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('clear')}
          </Button>
        }
      />
    )
  return (
    <EmptyState
      title={t('empty')}
      body={t('emptyAbout')}
      action={
        <Link to="/card" className={getButtonClass('primary')}>
          {t('toCard')}
        </Link>
      }
    />
  )
}
