import { Download } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { PaperRow } from '../../contract-paper.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { paperTexts } from '../../texts-papers.ts'
import { PAPER_KINDS } from '../../words-out.ts'
import type { PaperKind } from '../../words-out.ts'
import { paperApi } from '../pages-api.ts'
import { useDownload } from '../save-file.ts'
import { usePaymentPapers } from './use-papers.ts'

const KIND_TEXT = { receipt: 'kind_receipt', invoice: 'kind_invoice' } as const
const ONE_TEXT = { receipt: 'one_receipt', invoice: 'one_invoice' } as const
const VOID_TEXT = { duplicate: 'void_duplicate', wrongDetails: 'void_wrongDetails', customerAsked: 'void_customerAsked', legal: 'void_legal' } as const

const ANY = 'all'

/** Every receipt and invoice ever issued, void ones too: a number that was given out is never taken back. */
export function PaperHistory() {
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
