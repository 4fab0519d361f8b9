import { useTexts } from '#platform/web/i18n.ts'
import type { moneyContract } from '../../contract-money.console.ts'
import type { SentOf } from '#platform/shared/contract.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { orderStateSchema as orderState } from '#features/payments/contract-shapes.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { formatPayAmount } from '../kit/pay-amount.ts'
import { moneyApi } from './money-api.ts'
import { OrderSheet } from './order-sheet.tsx'
import { OrderStateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'
import { useMoneyWord, useOrderTypeTitle } from './words.ts'

const VIEW_TEXT = { suspense: 'view_suspense', refund: 'view_refund', dispute: 'view_dispute' } as const
const WAITS_TEXT = { suspense: 'waits_suspense', refund: 'waits_refund', dispute: 'waits_dispute' } as const

/** All orders; those that wait for an operator are a view. */
export function OrdersScreen() {
  const t = useTexts(moneyTexts)
  const [word, title] = [useMoneyWord(), useOrderTypeTitle()]
  return (
    <ListScreen
      name="orders"
      title={t('ordersTitle')}
      search={t('ordersSearch')}
      load={(input: SentOf<typeof moneyContract.orders>, signal) => moneyApi.orders(input, { signal })}
      file="/operator/orders"
      marks={[{ command: 'order.repair', input: (row) => ({ orderNo: row.orderNo }) }]}
      rowKey={(row) => row.orderNo}
      views={[
        { id: 'all', label: t('view_all'), set: { waits: undefined } },
        ...(['refund', 'suspense', 'dispute'] as const).map((waits) => ({ id: waits, label: t(VIEW_TEXT[waits]), set: { waits } })),
      ]}
      filters={[
        { name: 'state', label: t('state'), kind: 'pick', options: orderState.options.map((state) => ({ value: state, label: word('state', state) })) },
        { name: 'from', label: t('from'), kind: 'day' },
        { name: 'to', label: t('to'), kind: 'day' },
      ]}
      columns={[
        { key: 'no', header: t('colNo'), cell: (row) => <span className="num">{row.orderNo}</span>, mobile: 'title', csv: (row) => row.orderNo },
        {
          key: 'kind',
          header: t('colKind'),
          cell: (row) => `${title(row.orderType)}${row.source === 'auto' ? ` · ${t('auto')}` : ''}`,
          csv: (row) => title(row.orderType),
        },
        {
          key: 'customer',
          header: t('colCustomer'),
          cell: (row) => (
            <span className="block max-w-[22ch] truncate">
              <CustomerLink userId={row.userId}>{row.customer || undefined}</CustomerLink>
            </span>
          ),
          csv: (row) => row.userId,
        },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          cell: (row) => <Usd value={row.amount} className="font-semibold" />,
          mobile: 'primary',
          csv: (row) => row.amount,
        },
        {
          key: 'pay',
          header: t('colPay'),
          align: 'right',
          cell: (row) => <span className="num">{formatPayAmount(row.payAmount, row.currency)}</span>,
          csv: (row) => `${row.payAmount} ${row.currency}`,
        },
        {
          key: 'channel',
          aside: true,
          header: t('colChannel'),
          cell: (row) => word('channel', row.channelType),
          mobile: 'hidden',
          csv: (row) => word('channel', row.channelType),
        },
        {
          key: 'state',
          header: t('colState'),
          cell: (row) => (
            <span className="flex gap-1">
              <OrderStateTag state={row.state} />
              {row.waits ? <WaitsTag waits={row.waits} /> : null}
            </span>
          ),
          csv: (row) => row.state,
        },
        { key: 'time', header: t('colTime'), align: 'right', cell: (row) => <Time at={row.paidAt ?? row.createdAt} />, csv: (row) => row.createdAt },
      ]}
      empty={{ title: t('ordersEmpty') }}
      sheet={({ id, close }) => <OrderSheet key={id} orderNo={id} onClose={close} />}
    />
  )
}

function WaitsTag({ waits }: { readonly waits: 'refund' | 'suspense' | 'dispute' }) {
  const t = useTexts(moneyTexts)
  return <span className="tag tag-outline text-warning">{t(WAITS_TEXT[waits])}</span>
}
