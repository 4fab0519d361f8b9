import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { pageTexts } from '../../texts-pages.ts'
import { PaymentsPageHead } from '../page-head.tsx'
import { InvoiceRequestList } from './invoice-request-list.tsx'
import { InvoiceCard } from './invoice-card.tsx'
import { PaperHistory } from './paper-history.tsx'
import { StatementCard } from './statement-card.tsx'

/** /receipts: an invoice of a month, the statement as a file, and everything that was issued. */
export function PapersPage() {
  const t = useTexts(pageTexts)
  useTitle(t('papers'))
  return (
    <div>
      <PaymentsPageHead here="papers" />
      <div className="grid grid-cols-1 items-start gap-5 desktop:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]">
        <InvoiceCard />
        <StatementCard />
      </div>
      <InvoiceRequestList />
      <div className="mt-8">
        <PaperHistory />
      </div>
    </div>
  )
}
