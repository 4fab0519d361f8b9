import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { invoicesApi } from './api.ts'
import type { InvoiceRequestListRow } from './api.ts'
import { InvoiceRequestBadge, InvoiceRequestSheet } from './request-sheet.tsx'
import { invoiceTexts } from './texts.ts'
import { useInvoiceViews } from './use-views.ts'

/** Customers' requests to the invoice desk; open ones oldest first. */
export function InvoiceRequestsList({ state }: { readonly state: 'open' | 'ended' }) {
  const t = useTexts(invoiceTexts)
  const say = useConsoleFormatter()
  const views = useInvoiceViews()
  return (
    <ListScreen<InvoiceRequestListRow>
      name="invoice-requests"
      title={t('title')}
      about={t('askedAbout')}
      search={t('askedSearch')}
      load={({ after, limit, q }, signal) =>
        invoicesApi.invoiceRequests({ limit, state, ...(after === undefined ? {} : { after }), ...(q === undefined ? {} : { q: String(q) }) }, { signal })
      }
      file="/operator/invoice/requests"
      rowKey={(row) => row.requestNo}
      views={views}
      columns={[
        {
          key: 'no',
          header: t('colNo'),
          mobile: 'title',
          cell: (row) => <strong className="num font-semibold">{row.requestNo}</strong>,
          csv: (row) => row.requestNo,
        },
        { key: 'month', header: t('colMonth'), cell: (row) => <span className="num">{row.month}</span>, csv: (row) => row.month },
        { key: 'who', header: t('colCustomer'), cell: (row) => <CustomerLink userId={row.userId} />, csv: (row) => row.userId },
        {
          key: 'state',
          header: t('colState'),
          mobile: 'primary',
          cell: (row) => <InvoiceRequestBadge state={row.state} />,
          csv: (row) => say.value(row.state),
        },
        {
          key: 'end',
          header: t('colEnd'),
          cell: (row) => (row.paperNo ? <span className="num">{row.paperNo}</span> : row.cause ? say.value(row.cause) : '—'),
          csv: (row) => row.paperNo ?? say.value(row.cause),
        },
        { key: 'at', header: t('colAsked'), align: 'right', cell: (row) => <Time at={row.askedAt} />, csv: (row) => row.askedAt },
      ]}
      fixed={['state']}
      empty={{ title: t('askedEmpty'), body: t('askedEmptyBody') }}
      pollMs={10_000}
      sheet={({ id, close }) => <InvoiceRequestSheet key={id} requestNo={id} onClose={close} />}
    />
  )
}
