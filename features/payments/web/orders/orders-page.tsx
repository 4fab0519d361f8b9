import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { CustomerOrderRow } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { PaymentsPageHead } from '../page-head.tsx'
import { PayAmount } from '../pay/pay-money.tsx'
import { OrderStateBadge } from '../state-badge.tsx'
import { ClearFilters, OrderFilters, useOrderFilters } from './order-filters.tsx'
import { useOrders } from './use-orders.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { PAYMENTS_METHOD_TEXT } from '../../labels/state-texts.ts'

/** /orders: every order of every kind, narrowed by the address; one that waits is paid from here. */
export function OrdersPage() {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  useTitle(t('orders'))
  const filters = useOrderFilters()
  const [turn, setTurn] = useState(0)
  const orders = useOrders(filters.isBackwards ? {} : filters.wish)
  const rows = orders.data?.pages.flatMap((page) => page.rowList) ?? []
  const isFiltered = Object.keys(filters.wish).length > 0
  const columns = useColumns()
  const empty = isFiltered ? (
    <EmptyState title={t('orders_none')} body={t('orders_none_about')} action={<ClearFilters onClear={() => setTurn((now) => now + 1)} />} />
  ) : (
    <EmptyState
      title={t('orders_empty')}
      body={t('orders_empty_about')}
      action={<Button onClick={() => openDialog('recharge')}>{p('recharge_title')}</Button>}
    />
  )
  return (
    <div>
      <PaymentsPageHead here="orders" />
      <OrderFilters key={turn} filters={filters} />
      {orders.isError && !rows.length ? (
        <ErrorState error={orders.error} title={t('orders_failed')} onRetry={() => void orders.refetch()} />
      ) : (
        <div aria-busy={orders.isFetching}>
          <DataTable
            caption={t('orders')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.orderNo}
            instead={orders.isPending ? <SkeletonRows /> : rows.length ? undefined : empty}
          />
          {rows.length > 9 || orders.hasNextPage ? (
            <ListEnd hasMore={orders.hasNextPage} loading={orders.isFetchingNextPage} onMore={() => void orders.fetchNextPage()} />
          ) : null}
        </div>
      )}
    </div>
  )
}

/** Columns of the order list: facts, then actions. */
function useColumns(): readonly Column<CustomerOrderRow>[] {
  const t = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  return [
    {
      key: 'what',
      header: t('col_what'),
      mobile: 'title',
      cell: (row) => (
        <>
          <Link
            to="/orders/$orderNo"
            params={{ orderNo: row.orderNo }}
            className="link inline-flex items-center whitespace-nowrap no-underline hover:underline mobile:min-h-11"
          >
            {row.title}
          </Link>
          <Time at={row.createdTime} className="block text-13 text-fg-3 min-[900px]:hidden mobile:hidden" />
        </>
      ),
    },
    { key: 'time', header: p('col_time'), from: 900, cell: (row) => <Time at={row.createdTime} className="text-fg-2" /> },
    { key: 'order', header: t('fact_order'), from: 1200, cell: (row) => <span className="num text-13 text-fg-2">{row.orderNo}</span> },
    {
      key: 'method',
      from: 1200,
      header: p('col_method'),
      cell: (row) => <span className="whitespace-nowrap">{p(resolveTextKey(PAYMENTS_METHOD_TEXT, String(row.transactionType)))}</span>,
    },
    {
      key: 'amount',
      header: p('col_amount'),
      align: 'right',
      mobile: 'primary',
      cell: (row) => <Usd value={row.amount} figure={FIGURES['orders.row.amount']} className="font-medium" />,
    },
    {
      key: 'paid',
      header: p('col_paid'),
      align: 'right',
      from: 1200,
      cell: (row) => <PayAmount value={row.payAmount} currency={row.payCurrency} className="text-fg-2" />,
    },
    { key: 'status', header: p('col_status'), cell: (row) => <OrderStateBadge state={row.state} /> },
    {
      key: 'action',
      header: <span className="sr-only">{p('col_action')}</span>,
      align: 'right',
      mobile: 'actions',
      cell: (row) =>
        row.payable ? (
          <Button size="sm" className="mobile:min-h-11" onClick={() => openDialog('recharge', { orderNo: row.orderNo })}>
            {p('pending_continue')}
          </Button>
        ) : (
          <Link
            to="/orders/$orderNo"
            params={{ orderNo: row.orderNo }}
            aria-label={`${t('view')} ${row.orderNo}`}
            className={getButtonClass('ghost', 'sm', 'mobile:min-h-11')}
          >
            {t('view')}
          </Link>
        ),
    },
  ]
}
