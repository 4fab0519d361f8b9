import { useTexts } from '#platform/web/i18n.ts'
import type { invoicesContract } from '#features/payments/contract-invoices.console.ts'
import type { SentOf } from '#platform/shared/contract.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { useAddress } from '../kit/address.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { invoicesApi } from './api.ts'
import type { InvoiceRequestListRow } from './api.ts'
import { InvoiceSheet } from './invoice-sheet.tsx'
import { invoiceTexts } from './texts.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { InvoiceRequestBadge, InvoiceRequestSheet } from './request-sheet.tsx'
import type { ListView } from '../kit/list/types.ts'
import { useWorkCounts } from '../kit/counts.ts'

/** Tabs of both lists: open requests, closed requests, and issued documents. */
function useInvoiceViews(): readonly ListView[] {
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

/** Customers' requests to the invoice desk; open ones oldest first. */
function InvoiceRequestsList({ state }: { readonly state: 'open' | 'ended' }) {
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

const KIND_TEXT = { receipt: 'kind_receipt', invoice: 'kind_invoice' } as const

const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/

/** Two lists under one row of tabs: customers' requests, and all issued documents. */
export function InvoicesScreen() {
  const [{ state }] = useAddress()
  return state === 'open' || state === 'ended' ? <InvoiceRequestsList key={state} state={state} /> : <InvoicesList />
}

/** List of issued documents; sends the month filter only once it is complete. */
function InvoicesList() {
  const t = useTexts(invoiceTexts)
  const views = useInvoiceViews()
  return (
    <ListScreen
      name="invoices"
      title={t('title')}
      about={t('about')}
      search={t('search')}
      load={({ month, ...input }: SentOf<typeof invoicesContract.invoices>, signal) =>
        invoicesApi.invoices({ ...input, ...(MONTH.test(String(month)) ? { month } : {}) }, { signal })
      }
      file="/operator/invoices"
      rowKey={(row) => row.paperNo}
      views={views}
      chips={(['invoice', 'receipt'] as const).map((kind) => ({ name: 'kind' as const, value: kind, label: t(KIND_TEXT[kind]) }))}
      filters={[{ name: 'month', label: t('month'), kind: 'text' }]}
      columns={[
        {
          key: 'no',
          header: t('colNo'),
          mobile: 'title',
          cell: (row) => <strong className="num font-semibold">{row.paperNo}</strong>,
          csv: (row) => row.paperNo,
        },
        { key: 'kind', header: t('colKind'), cell: (row) => t(KIND_TEXT[row.kind]), csv: (row) => row.kind },
        {
          key: 'for',
          aside: true,
          header: t('colFor'),
          cell: (row) => <span className="num">{row.month || row.orderNo}</span>,
          csv: (row) => row.month || row.orderNo,
        },
        { key: 'who', header: t('colCustomer'), cell: (row) => <CustomerLink userId={row.userId} />, csv: (row) => row.userId },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          mobile: 'primary',
          cell: (row) => <Usd value={row.amount} className="font-semibold" />,
          csv: (row) => row.amount,
        },
        {
          key: 'state',
          header: t('colState'),
          cell: (row) => <Badge tone={row.voidAt ? 'neutral' : 'success'}>{t(row.voidAt ? 'void' : 'holds')}</Badge>,
          csv: (row) => (row.voidAt ? 'void' : 'holds'),
        },
        { key: 'issued', aside: true, header: t('colIssued'), align: 'right', cell: (row) => <Time at={row.issuedAt} />, csv: (row) => row.issuedAt },
      ]}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      sheet={({ id, close }) => <InvoiceSheet key={id} paperNo={id} onClose={close} />}
    />
  )
}
