import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { CardRow } from '../../contract.ts'
import { billTexts } from '../../texts-bills.ts'
import { BillList } from '../bills/bill-list.tsx'
import { BillSheet } from '../bills/bill-sheet.tsx'
import { useBills, useBillRefresh } from '../bills/use-bills.ts'

const MAX_ROWS = 7

/** The latest rows of the card's bills, with a link to all of them. */
export function RecentBills({ card }: { readonly card: CardRow }) {
  const t = useTexts(billTexts)
  const [bill, setBill] = useQueryParam<string>('bill', '')
  useBillRefresh(card)
  const bills = useBills({ cardId: card.id }, MAX_ROWS)
  const rows = bills.data?.pages[0]?.rowList ?? []
  return (
    <section aria-labelledby="recent-title" className="mt-2">
      <div className="mb-2.5 flex items-baseline justify-between gap-4">
        <h2 id="recent-title" className="text-16 font-bold">
          {t('recent')}
        </h2>
        <Link to="/bill" search={{ card: card.id }} className="link text-14">
          {t('allBills')}
        </Link>
      </div>
      {bills.isError && !rows.length ? (
        <ErrorState error={bills.error} title={t('billsFailed')} onRetry={() => void bills.refetch()} />
      ) : (
        <BillList
          caption={t('recent')}
          rows={rows}
          onOpen={setBill}
          withCard={false}
          instead={bills.isPending ? <SkeletonRows rows={4} /> : rows.length ? undefined : <EmptyState title={t('empty')} body={t('emptyAbout')} />}
        />
      )}
      <BillSheet id={bill} onClose={() => setBill('')} />
    </section>
  )
}
