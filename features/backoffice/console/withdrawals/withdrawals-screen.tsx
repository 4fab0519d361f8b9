import { Users } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Cny, Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { RiskBars } from '../kit/marks.tsx'
import { moneyApi } from '../orders/money-api.ts'
import { StateTag } from '../orders/state-tag.tsx'
import { moneyTexts } from '../orders/texts.ts'
import { useMoneyWord } from '../orders/words.ts'
import { WithdrawalSheet } from './withdrawal-sheet.tsx'

const VIEWS = ['approving', 'in_transit', 'paid', 'returned', 'failed'] as const

/** Money that wants out, with the amount and the risk in the line. */
export function Screen() {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <ListScreen
      name="withdrawals"
      title={t('withdrawalsTitle')}
      search={t('withdrawalsSearch')}
      load={(input, signal) => moneyApi.withdrawals(input as never, { signal })}
      file="/operator/withdrawals"
      marks={[{ command: 'withdrawal.recheck', input: (row) => ({ withdrawalNo: row.withdrawalNo }) }]}
      rowKey={(row) => row.withdrawalNo}
      views={[
        { id: 'all', label: t('wview_all'), set: { state: undefined } },
        ...VIEWS.map((state) => ({ id: state, label: t(`wview_${state}`), set: { state } })),
      ]}
      filters={[
        { name: 'from', label: t('from'), kind: 'day' },
        { name: 'to', label: t('to'), kind: 'day' },
      ]}
      columns={[
        {
          key: 'no',
          header: t('colNo'),
          cell: (row) => (
            <span className="num">
              {row.withdrawalNo}
              {row.waiting ? <Users size={12} strokeWidth={1.75} className="ml-1.5 -mt-0.5 inline text-warning" aria-label={t('waitsSecond')} /> : null}
            </span>
          ),
          mobile: 'title',
          csv: (row) => row.withdrawalNo,
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
        { key: 'source', aside: true, header: t('colSource'), cell: (row) => word('source', row.source), mobile: 'hidden', csv: (row) => row.source },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          cell: (row) => <Usd value={row.amount} className="font-semibold" />,
          mobile: 'primary',
          csv: (row) => row.amount,
        },
        { key: 'pay', header: t('payout'), align: 'right', cell: (row) => <Cny value={row.payAmount} />, csv: (row) => row.payAmount },
        { key: 'risk', header: t('colRisk'), width: '80px', cell: (row) => <RiskBars risk={row.risk} />, csv: (row) => row.risk },
        { key: 'state', header: t('colState'), cell: (row) => <StateTag of="wstate" state={row.state} />, csv: (row) => row.state },
        { key: 'time', aside: true, header: t('colTime'), align: 'right', cell: (row) => <Time at={row.createdAt} />, csv: (row) => row.createdAt },
      ]}
      empty={{ title: t('withdrawalsEmpty') }}
      pollMs={15_000}
      sheet={({ id, close }) => <WithdrawalSheet key={id} withdrawalNo={id} onClose={close} />}
    />
  )
}
