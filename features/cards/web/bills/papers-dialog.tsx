import { Download } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { billTexts } from '../../texts-bills.ts'
import { billsApi } from '../cards-api.ts'
import { useCardPapers } from './use-bills.ts'
import { useSaveFile } from './use-save.ts'

/** Monthly statements and opening receipts, each a PDF drawn on request. */
export function PapersDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(billTexts)
  const papers = useCardPapers(open)
  const { busy, save } = useSaveFile()
  const rows = papers.data && [
    ...papers.data.opening.map(({ month, orderNo, amount }) => ({
      key: `opening ${orderNo}`,
      name: t('paperOpening', { month }),
      note: t('paperOpeningNote', { amount: displayUsd(amount), tail: orderNo.slice(-4) }),
      fetch: () => billsApi.applyOpenAccountInvoice({ month, orderNo }),
    })),
    ...papers.data.statements.map(({ month, cardId, last4, rows: count }) => ({
      key: `statement ${cardId} ${month}`,
      name: t('paperStatement', { month, last4 }),
      note: t('paperStatementNote', { count }),
      fetch: () => billsApi.applyMonthlyStatementInvoice({ month, cardId }),
    })),
  ]
  return (
    <Dialog open={open} onClose={onClose} title={t('papers')} description={t('papersAbout')}>
      {papers.isError ? (
        <ErrorState error={papers.error} onRetry={() => void papers.refetch()} />
      ) : !rows ? (
        <SkeletonRows rows={4} />
      ) : rows.length === 0 ? (
        <EmptyState title={t('papersNone')} body={t('papersNoneAbout')} />
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {rows.map(({ key, name, note, fetch }) => (
            <li key={key} className="flex min-h-16 items-center gap-4 py-2">
              <div className="min-w-0 flex-1">
                <p className="text-14 font-medium">{name}</p>
                <p className="text-13 text-fg-3">{busy === key ? t('drawing') : note}</p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                loading={busy === key}
                disabled={busy !== '' && busy !== key}
                aria-label={`${t('download')} ${name}`}
                onClick={() => void save(key, fetch)}
              >
                <Download size={14} strokeWidth={1.75} aria-hidden="true" />
                {t('pdf')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
