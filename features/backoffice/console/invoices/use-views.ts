import { useTexts } from '#platform/web/i18n.ts'
import type { ListView } from '../kit/list/types.ts'
import { useWorkCounts } from '../kit/counts.ts'
import { invoiceTexts } from './texts.ts'

/** The tabs of both lists: what waits at the desk, what it ended, and the papers. */
export function useInvoiceViews(): readonly ListView[] {
  const t = useTexts(invoiceTexts)
  const { invoices } = useWorkCounts()
  return [
    { id: 'all', label: t('all'), set: { state: undefined } },
    { id: 'holds', label: t('holds'), set: { state: 'holds' } },
    { id: 'void', label: t('void'), set: { state: 'void' } },
    { id: 'open', label: t('asked'), count: invoices, set: { state: 'open', kind: undefined, month: undefined } },
    { id: 'ended', label: t('askedEnded'), set: { state: 'ended', kind: undefined, month: undefined } },
  ]
}
