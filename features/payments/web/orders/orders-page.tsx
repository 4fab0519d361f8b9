import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { CustomerOrderRow } from '../../contract-orders.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { PaymentsPageHead } from '../page-head.tsx'
import { PayAmount } from '../pay/pay-money.tsx'
import { OrderStateBadge } from '../state-badge.tsx'
import { useOrders } from './use-orders.ts'
import type { OrderListFilter } from './use-orders.ts'
import { methodTextKey } from '../../contract-methods.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { usePaymentOrderTitle } from '../use-order-title.ts'
import { filterTexts } from '../../texts-filters.ts'
import { ORDER_FILTERS, ORDER_TYPE } from '../../words.ts'
import type { OrderFilter } from '../../words.ts'

const FILTER_TEXT = { refund: 'filter_refund', paid: 'filter_paid', open: 'filter_open', over: 'filter_over', problem: 'filter_problem' } as const

const ANY = 'all'
const PERIODS = { 7: 'period_7', 30: 'period_30', 90: 'period_90' } as const
const DAY_MS = 86_400_000
const DAY = /^20\d{2}-\d{2}-\d{2}$/
const ORDER_NO = /^\d{8}-[0-9A-Z]{12}$/
/** The best-selling type first. */
const TYPES = [ORDER_TYPE.OPENAI_API, ...Object.values(ORDER_TYPE).filter((type) => type !== ORDER_TYPE.OPENAI_API)]

/** Filters from the URL; an invalid value counts as no filter. */
function useOrderFilters() {
  const [status, setStatus] = useQueryParam<string>('status', ANY)
  const [type, setType] = useQueryParam<string>('type', ANY)
  const [last4, setLast4] = useQueryParam<string>('no', '')
  const [period, setPeriod] = useQueryParam<string>('period', ANY)
  const [from, setFrom] = useQueryParam<string>('from', '')
  const [to, setTo] = useQueryParam<string>('to', '')
  const own = period === 'own'
  const wish: OrderListFilter = {
    ...(ORDER_FILTERS.includes(status as OrderFilter) ? { status: status as OrderFilter } : {}),
    ...(TYPES.some((one) => String(one) === type) ? { orderType: Number(type) } : {}),
    ...(/^[0-9A-Za-z]{1,4}$/.test(last4) ? { last4 } : {}),
    ...(period in PERIODS ? { from: toShanghaiDay(Date.now() - (Number(period) - 1) * DAY_MS) } : {}),
    ...(own && DAY.test(from) ? { from } : {}),
    ...(own && DAY.test(to) ? { to } : {}),
  }
  const isBackwards = own && wish.from !== undefined && wish.to !== undefined && wish.from > wish.to
  return { status, setStatus, type, setType, last4, setLast4, period, setPeriod, from, setFrom, to, setTo, wish, isBackwards }
}

/** State as one row of choices; kind, period and number side by side. A complete order number leads to its page. */
function OrderFilters({ filters }: { readonly filters: ReturnType<typeof useOrderFilters> }) {
  const t = useTexts(pageTexts)
  const f = useTexts(filterTexts)
  const title = usePaymentOrderTitle()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(filters.last4)
  const type = (text: string) => {
    const clean = text.trim().toUpperCase()
    if (ORDER_NO.test(clean)) return void navigate({ to: '/orders/$orderNo', params: { orderNo: clean } })
    if (!/^[0-9A-Z]{0,4}$/.test(clean)) return
    setTyped(clean)
    filters.setLast4(clean)
  }
  return (
    <div className="mb-4 grid gap-3">
      <Segmented
        label={f('filter_status')}
        value={filters.status}
        onChange={filters.setStatus}
        className="justify-self-start"
        items={[{ value: ANY, label: f('filter_all') }, ...ORDER_FILTERS.map((value) => ({ value, label: f(FILTER_TEXT[value]) }))]}
      />
      <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,180px)_minmax(0,220px)_1fr] mobile:grid-cols-2">
        <PickField
          label={f('filter_type')}
          value={filters.type}
          onChange={filters.setType}
          options={[{ value: ANY, label: f('type_all') }, ...TYPES.map((one) => ({ value: String(one), label: title(one) }))]}
        />
        <PickField
          label={f('filter_period')}
          value={filters.period}
          onChange={filters.setPeriod}
          options={[
            { value: ANY, label: f('period_all') },
            ...Object.entries(PERIODS).map(([value, key]) => ({ value, label: f(key) })),
            { value: 'own', label: f('period_own') },
          ]}
        />
        <TextField
          label={f('filter_last4')}
          placeholder={f('filter_last4_hint')}
          fieldClassName="mobile:col-span-2"
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => type(event.target.value)}
        />
      </div>
      {filters.period === 'own' ? (
        <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,220px)] mobile:grid-cols-2">
          <TextField
            label={t('from')}
            type="date"
            value={filters.from}
            max={filters.to || undefined}
            onChange={(event) => filters.setFrom(event.target.value)}
          />
          <TextField
            label={t('to')}
            type="date"
            value={filters.to}
            min={filters.from || undefined}
            error={filters.isBackwards ? t('range_bad') : undefined}
            onChange={(event) => filters.setTo(event.target.value)}
          />
        </div>
      ) : null}
    </div>
  )
}

function ClearFilters({ onClear }: { readonly onClear: () => void }) {
  const t = useTexts(pageTexts)
  const navigate = useNavigate()
  return (
    <Button
      variant="secondary"
      onClick={() => {
        void navigate({ to: '/orders', search: {}, replace: true }).then(onClear)
      }}
    >
      {t('clear')}
    </Button>
  )
}

/** /orders: all orders, filtered by the URL; unpaid orders can be paid from here. */
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
      cell: (row) => <span className="whitespace-nowrap">{p(methodTextKey(row.transactionType))}</span>,
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
