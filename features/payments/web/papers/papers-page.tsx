import { useTexts, getCurrentLang } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { pageTexts } from '../../texts-pages.ts'
import { PaymentsPageHead } from '../page-head.tsx'
import { InvoiceCard } from './invoice-card.tsx'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { paperTexts } from '../../texts-papers.ts'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { InvoiceRequest } from '../../contract-invoice-requests.ts'
import { INVOICE_REQUESTS, invoiceRequestApi } from './invoice-request-api.ts'
import { Link } from '@tanstack/react-router'
import { Usd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { PaperRow } from '../../contract-paper.ts'
import { paymentTexts } from '../../texts.ts'
import { PAPER_KINDS } from '../../words-out.ts'
import type { PaperKind } from '../../words-out.ts'
import { usePaymentPapers } from './use-papers.ts'

const KIND_TEXT = { receipt: 'kind_receipt', invoice: 'kind_invoice' } as const
const ONE_TEXT = { receipt: 'one_receipt', invoice: 'one_invoice' } as const
const VOID_TEXT = { duplicate: 'void_duplicate', wrongDetails: 'void_wrongDetails', customerAsked: 'void_customerAsked', legal: 'void_legal' } as const

const ANY = 'all'

/** All receipts and invoices, including void ones: an assigned number is never withdrawn. */
function PaperHistory() {
  const t = useTexts(paperTexts)
  const [kind, setKind] = useQueryParam<string>('kind', ANY)
  const list = usePaymentPapers(PAPER_KINDS.find((one) => one === kind))
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns = useColumns()
  return (
    <section aria-labelledby="papers-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="papers-title" className="text-16 font-semibold">
          {t('history')}
        </h2>
        <Segmented<PaperKind | typeof ANY>
          label={t('history')}
          value={PAPER_KINDS.find((one) => one === kind) ?? ANY}
          onChange={setKind}
          items={[{ value: ANY, label: t('kind_all') }, ...PAPER_KINDS.map((value) => ({ value, label: t(KIND_TEXT[value]) }))]}
        />
      </div>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} title={t('papers_failed')} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('history')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.paperNo}
            instead={
              list.isPending ? <SkeletonRows rows={3} /> : rows.length ? undefined : <EmptyState title={t('papers_empty')} body={t('papers_empty_about')} />
            }
          />
          {rows.length > 9 || list.hasNextPage ? (
            <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          ) : null}
        </>
      )}
    </section>
  )
}

function useColumns(): readonly Column<PaperRow>[] {
  const t = useTexts(paperTexts)
  const pages = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  return [
    {
      key: 'kind',
      header: p('col_type'),
      mobile: 'title',
      cell: (row) => (
        <span className="inline-flex flex-wrap items-center gap-2 whitespace-nowrap">
          {t(ONE_TEXT[row.kind])}
          {row.voidTime ? <Badge>{t('void_tag')}</Badge> : null}
        </span>
      ),
    },
    {
      key: 'no',
      from: 900,
      header: t('col_no'),
      cell: (row) => (
        <span className="inline-grid">
          <span
            className={`num text-13 ${row.voidTime ? 'text-fg-3 line-through' : ''}`}
            title={row.replacedBy ? t('void_by', { no: row.replacedBy }) : undefined}
          >
            {row.paperNo}
          </span>
          {row.voidCause ? <span className="text-12 text-fg-3">{t(VOID_TEXT[row.voidCause])}</span> : null}
        </span>
      ),
    },
    {
      key: 'for',
      header: t('col_for'),
      cell: (row) =>
        row.orderNo ? (
          <Link to="/orders/$orderNo" params={{ orderNo: row.orderNo }} className="link num inline-flex items-center text-13 mobile:min-h-11">
            {row.orderNo}
          </Link>
        ) : (
          <span className="num">{row.month}</span>
        ),
    },
    { key: 'name', header: t('col_name'), from: 1200, cell: (row) => <span className="block max-w-56 truncate">{row.userName || '—'}</span> },
    { key: 'amount', header: pages('col_amount'), align: 'right', mobile: 'primary', cell: (row) => <Usd value={row.amount} className="font-medium" /> },
    { key: 'issued', header: t('col_issued'), from: 1200, cell: (row) => <Time at={row.issuedTime} className="text-fg-2" /> },
    {
      key: 'action',
      header: <span className="sr-only">{p('col_action')}</span>,
      align: 'right',
      mobile: 'actions',
      cell: (row) => <GetPaper paperNo={row.paperNo} />,
    },
  ]
}

function GetPaper({ paperNo }: { readonly paperNo: string }) {
  const t = useTexts(paperTexts)
  const pages = useTexts(pageTexts)
  const { busy, download } = useDownload()
  return (
    <Button
      size="sm"
      variant="ghost"
      className="mobile:min-h-11"
      loading={busy}
      aria-label={t('download_of', { no: paperNo })}
      onClick={() => void download(() => paperApi.paperFile({ paperNo }))}
    >
      {busy ? null : <Download size={14} strokeWidth={1.75} aria-hidden="true" />}
      {pages('download')}
    </Button>
  )
}

const REQUEST_STATE_TEXT = { refused: 'asked_refused', withdrawn: 'asked_withdrawn', open: 'asked_open', issued: 'asked_issued' } as const
const REFUSED_TEXT = {
  unclear: 'refused_unclear',
  notTheirs: 'refused_notTheirs',
  taxInvoice: 'refused_taxInvoice',
  nothingPaid: 'refused_nothingPaid',
} as const

/** Requests to the invoice desk and their outcomes; hidden while there are none. */
function InvoiceRequestList() {
  const t = useTexts(paperTexts)
  const { data } = useQuery({ queryKey: [...INVOICE_REQUESTS], queryFn: ({ signal }) => invoiceRequestApi.invoiceRequests({}, { signal }) })
  if (!data?.rowList.length) return null
  return (
    <section aria-labelledby="asked-title" className="mt-8">
      <h2 id="asked-title" className="mb-3 text-16 font-semibold">
        {t('asked_title')}
      </h2>
      <ul className="card divide-y divide-line">
        {data.rowList.map((row) => (
          <Line key={row.requestNo} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Line({ row }: { readonly row: InvoiceRequest }) {
  const t = useTexts(paperTexts)
  const cache = useQueryClient()
  const { run, isRunning } = useSubmit()
  const drop = () =>
    void run(async () => {
      await invoiceRequestApi.dropInvoiceRequest({ requestNo: row.requestNo })
    }).then((error) => {
      if (error) toast.error(error.message)
      void cache.invalidateQueries({ queryKey: [...INVOICE_REQUESTS] })
    })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 mobile:px-4">
      <span className="num text-14">{row.month}</span>
      <span dir="auto" className="min-w-0 flex-1 text-14 [overflow-wrap:anywhere]">
        {row.userName}
      </span>
      <Badge tone={row.state === 'open' ? 'warning' : row.state === 'issued' ? 'success' : 'neutral'}>{t(REQUEST_STATE_TEXT[row.state])}</Badge>
      <Time at={row.endedTime ?? row.askedTime} className="text-13 text-fg-2" />
      {row.state === 'open' ? (
        <Button size="sm" variant="ghost" className="mobile:min-h-11" loading={isRunning} aria-label={t('asked_drop_of', { no: row.requestNo })} onClick={drop}>
          {t('asked_drop')}
        </Button>
      ) : null}
      {row.paperNo || row.cause ? (
        <p dir="auto" className="w-full text-13 text-fg-2 [overflow-wrap:anywhere]">
          {row.paperNo ? <span className="num">{row.paperNo}</span> : null}
          {row.cause ? t(REFUSED_TEXT[row.cause]) : null}
          {row.answer ? <span className="block">{row.answer}</span> : null}
        </p>
      ) : null}
    </li>
  )
}

/** All balance entries as a file; by default from the first of this month to today. */
function StatementCard() {
  const t = useTexts(paperTexts)
  const pages = useTexts(pageTexts)
  const { busy, download } = useDownload()
  const [today] = useState(() => toShanghaiDay(Date.now()))
  const [from, setFrom] = useState(() => `${today.slice(0, 8)}01`)
  const [to, setTo] = useState(today)
  const isBackwards = from !== '' && to !== '' && from > to
  const get = () => {
    if (isBackwards) return
    void download(() => paperApi.statementCsv({ ...(from ? { from } : {}), ...(to ? { to } : {}), lang: getCurrentLang() }))
  }
  return (
    <section aria-labelledby="statement-title" className="card p-5 mobile:p-4">
      <h2 id="statement-title" className="text-16 font-semibold">
        {t('statement_title')}
      </h2>
      <p className="mt-1 mb-5 text-14 text-fg-2">{t('statement_about')}</p>
      <div className="grid grid-cols-2 gap-3">
        <TextField label={pages('from')} type="date" value={from} max={to || today} onChange={(event) => setFrom(event.target.value)} />
        <TextField
          label={pages('to')}
          type="date"
          value={to}
          min={from || undefined}
          max={today}
          error={isBackwards ? pages('range_bad') : undefined}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <Button variant="secondary" className="mt-4 mobile:w-full" loading={busy} disabled={isBackwards} onClick={get}>
        {busy ? null : <Download size={16} strokeWidth={1.75} aria-hidden="true" />}
        {t('statement_get')}
      </Button>
    </section>
  )
}

/** /receipts: a monthly invoice, the statement as a file, and all issued papers. */
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
