import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Time } from '#platform/web/time.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { OrderRecord } from '../contract-shapes.ts'
import { paymentTexts } from '../texts.ts'
import { paymentsApi } from './payments-api.ts'
import { PayAmount } from './pay/pay-money.tsx'
import { StateBadge } from './state-badge.tsx'
import { WithdrawalBadge } from './withdraw/withdrawal-badge.tsx'
import { keyOf } from '#platform/shared/texts.ts'
import { PAYMENTS_METHOD_TEXT } from '../state-texts.ts'

const RECORDS_TEXT = { all: 'records_all', papers: 'records_papers', orders: 'records_orders', withdrawals: 'records_withdrawals' } as const
const TYPE_TEXT = { 1: 'type_1', 2: 'type_2' } as const

const PaperHistory = lazy(() => import('./papers/paper-history.tsx').then((module) => ({ default: module.PaperHistory })))
const PAGE_SIZE = 10

const KINDS = ['all', 'orders', 'withdrawals', 'papers'] as const
type Kind = (typeof KINDS)[number]
const TYPE = { all: undefined, orders: 1, withdrawals: 2 } as const

/** The tab 资金记录 of /api: all that came in and went out in one line of time; orders, withdrawals and papers are its filters. */
export function RechargeRecord() {
  const t = useTexts(paymentTexts)
  const [asked, setAsked] = useQueryParam<string>('show', 'all')
  const kind = KINDS.find((one) => one === asked) ?? 'all'
  return (
    <>
      <Segmented<Kind>
        label={t('records')}
        value={kind}
        onChange={setAsked}
        className="mb-4"
        items={KINDS.map((value) => ({ value, label: t(RECORDS_TEXT[value]) }))}
      />
      {kind === 'papers' ? (
        <Suspense fallback={<SkeletonRows />}>
          <PaperHistory />
        </Suspense>
      ) : (
        <Funds key={kind} kind={kind} />
      )}
    </>
  )
}

/** Newest first; an order that waits is paid from here. */
function Funds({ kind }: { readonly kind: keyof typeof TYPE }) {
  const t = useTexts(paymentTexts)
  const orderType = TYPE[kind]
  const records = useInfiniteQuery({
    queryKey: ['payments', 'records', kind],
    enabled: useSignedIn(),
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      paymentsApi.orderRecords({ pageNum: pageParam, pageSize: PAGE_SIZE, ...(orderType === undefined ? {} : { orderType }) }, { signal }),
    getNextPageParam: (page) => (page.pageNum < page.totalPage ? page.pageNum + 1 : undefined),
  })
  const rows = records.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns = useColumns()
  if (records.isError && !rows.length) return <ErrorState error={records.error} title={t('records_failed')} onRetry={() => void records.refetch()} />
  const empty = (
    <EmptyState
      title={t(kind === 'withdrawals' ? 'records_empty_withdrawals' : 'records_empty')}
      body={t('records_empty_about')}
      action={kind === 'withdrawals' ? undefined : <Button onClick={() => openDialog('recharge')}>{t('recharge_title')}</Button>}
    />
  )
  return (
    <div>
      <DataTable
        caption={t('records')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.orderNo}
        instead={records.isPending ? <SkeletonRows /> : rows.length ? undefined : empty}
      />
      {rows.length > PAGE_SIZE - 1 || records.hasNextPage ? (
        <ListEnd hasMore={records.hasNextPage} loading={records.isFetchingNextPage} onMore={() => void records.fetchNextPage()} />
      ) : null}
    </div>
  )
}

/** What is told of a row, and what can be done with it. */
function useColumns(): readonly Column<OrderRecord>[] {
  const t = useTexts(paymentTexts)
  return [
    { key: 'time', header: t('col_time'), cell: (row) => <Time at={row.createdTime} className="text-fg-2" /> },
    { key: 'type', header: t('col_type'), cell: (row) => t(TYPE_TEXT[row.orderType]), mobile: 'title' },
    { key: 'method', header: t('col_method'), cell: (row) => t(keyOf(PAYMENTS_METHOD_TEXT, String(row.payType))) },
    {
      key: 'amount',
      header: t('col_amount'),
      align: 'right',
      mobile: 'primary',
      cell: (row) => <Usd value={row.orderAmount} signed={row.payStatus === 1} className={row.payStatus === 1 ? 'font-medium text-brand-text' : 'text-fg-2'} />,
    },
    { key: 'paid', header: t('col_paid'), align: 'right', cell: (row) => <PayAmount value={row.payAmount} currency={row.payCurrency} className="text-fg-2" /> },
    {
      key: 'status',
      header: t('col_status'),
      cell: (row) => (row.withdrawState ? <WithdrawalBadge row={{ state: row.withdrawState }} /> : <StateBadge state={row.state} />),
    },
    {
      key: 'order',
      header: t('col_order'),
      cell: (row) => (
        <span className="inline-flex items-center gap-1 whitespace-nowrap text-13 text-fg-2">
          {row.orderType === 2 ? (
            <Link to="/withdrawals/$withdrawalNo" params={{ withdrawalNo: row.orderNo }} className="link num inline-flex items-center mobile:min-h-11">
              {row.orderNo}
            </Link>
          ) : (
            <Link to="/orders/$orderNo" params={{ orderNo: row.orderNo }} className="link num inline-flex items-center mobile:min-h-11">
              {row.orderNo}
            </Link>
          )}
          <CopyButton iconOnly text={row.orderNo} label={t('copy_order')} className="-my-2" />
        </span>
      ),
    },
    {
      key: 'action',
      header: <span className="sr-only">{t('col_action')}</span>,
      align: 'right',
      mobile: 'actions',
      cell: (row) =>
        row.payable ? (
          <Button size="sm" onClick={() => openDialog('recharge', { orderNo: row.orderNo })}>
            {t('pending_continue')}
          </Button>
        ) : null,
    },
  ]
}
