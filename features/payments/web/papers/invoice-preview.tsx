import { useQuery } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd, displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { formatMinor, parseUsd, toMinorUnits } from '#platform/shared/money.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { paperTexts } from '../../texts-papers.ts'
import { PaymentsNotice } from '../notice.tsx'
import { paperApi } from '../pages-api.ts'

interface InvoicePreviewProps {
  readonly month: string
  /** Name, then address, as they will be printed. */
  readonly to: readonly string[]
  readonly busy: boolean
  readonly failure: string | undefined
  readonly onClose: () => void
  /** Issues the invoice at the fee that the user agreed to. */
  readonly onIssue: (agreedFee: string) => void
}

/** Preview of an invoice without a number, because an assigned number is never withdrawn. */
export function InvoicePreview({ month, to, busy, failure, onClose, onIssue }: InvoicePreviewProps) {
  const t = useTexts(paperTexts)
  const preview = useQuery({
    queryKey: ['payments', 'papers', 'preview', month],
    queryFn: ({ signal }) => paperApi.invoicePreview({ month }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  const { data } = preview
  const issue = async () => {
    if (!data) return
    const agreedFee = formatMinor(toMinorUnits(parseUsd(data.fee), '1.0'))
    const values = { fee: displayUsd(data.fee), percent: data.feePercent, most: displayUsd(data.feeMost) }
    const isFree = data.fee === '0'
    if (
      isFree ||
      (await confirm({ title: t('inv_cost_title', values), body: t('inv_cost_about', values), action: t('inv_cost_action', values), cancel: t('cost_back') }))
    )
      onIssue(agreedFee)
  }
  const footer = (
    <>
      <Button variant="secondary" disabled={busy} onClick={onClose}>
        {t('inv_edit')}
      </Button>
      <Button loading={busy} disabled={!data} onClick={() => void issue()}>
        {t('inv_issue')}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={onClose} title={t('inv_preview')} size="md" footer={footer}>
      {preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : data ? (
        <div className="grid gap-4 pb-4">
          <Receipt look="inline" label={t('inv_preview')} className="w-full">
            <div className="flex flex-wrap items-baseline justify-between gap-3">
              <p className="text-16 font-semibold">{t('invoice_title')}</p>
              <p className="num text-14">{month}</p>
            </div>
            <p className="mt-2 text-12 text-fg-3">{t('inv_to')}</p>
            {to.map((line) => (
              <p key={line} className="text-14 [overflow-wrap:anywhere]">
                {line}
              </p>
            ))}
            <ReceiptRule />
            {data.lines.map(({ orderNo, title, paidTime, net, fee, back }) => (
              <ReceiptRow
                key={orderNo}
                label={title}
                value={<Usd value={net} />}
                note={[displayTime(paidTime, 'day'), t('inv_fee', { fee: displayUsd(fee) }), back === '0' ? '' : t('inv_back', { back: displayUsd(back) })]
                  .filter(Boolean)
                  .join(' · ')}
              />
            ))}
            <ReceiptRule />
            <ReceiptRow strong label={t('inv_sum')} value={<Usd value={data.net} />} />
          </Receipt>
          <Receipt look="flat" label={t('inv_cost')}>
            <ReceiptRow
              label={t('inv_cost')}
              value={<Usd value={data.fee} />}
              note={t('inv_cost_note', { percent: data.feePercent, most: displayUsd(data.feeMost) })}
            />
          </Receipt>
          {data.holds ? <PaymentsNotice tone="info">{t('inv_replaces', { no: data.holds })}</PaymentsNotice> : null}
          <div role="alert" className="empty:hidden">
            {failure ? <PaymentsNotice tone="danger">{failure}</PaymentsNotice> : null}
          </div>
        </div>
      ) : (
        <Skeleton className="mb-4 h-60" />
      )}
    </Dialog>
  )
}
