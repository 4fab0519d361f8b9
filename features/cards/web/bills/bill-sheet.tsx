import { lazy, Suspense, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { billTexts } from '../../texts-bills.ts'
import { useBill } from './use-bills.ts'

const BillDetailView = lazy(() => import('./bill-detail.tsx').then((m) => ({ default: m.BillDetailView })))

/** Sheet with one row of the bills. Its code is loaded when the first row is opened, in parallel with the row. */
export function BillSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(billTexts)
  const last = useRef(id)
  if (id) last.current = id
  const bill = useBill(id || last.current)
  const loading = <Skeleton className="h-72" />
  return (
    <Sheet open={id !== ''} onClose={onClose} title={t('billTitle')}>
      {bill.isError ? (
        <ErrorState error={bill.error} onRetry={() => void bill.refetch()} />
      ) : bill.data ? (
        <Suspense fallback={loading}>
          <BillDetailView key={bill.data.id} bill={bill.data} />
        </Suspense>
      ) : (
        loading
      )}
    </Sheet>
  )
}
