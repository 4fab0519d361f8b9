import { lazy, Suspense } from 'react'
import type { moneyContract, WithdrawalListRow } from '../../contract-money.console.ts'
import type { SentOf } from '#platform/shared/contract.ts'
import { Users } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { Cny, Usd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { RiskBars } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { moneyApi } from '../orders/money-api.ts'
import { OrderStateTag } from '../orders/state-tag.tsx'
import { moneyTexts } from '../orders/texts.ts'
import { useMoneyWord } from '../orders/words.ts'

const WVIEW_TEXT = {
  failed: 'wview_failed',
  returned: 'wview_returned',
  paid: 'wview_paid',
  approving: 'wview_approving',
  in_transit: 'wview_in_transit',
} as const

const WithdrawalSheet = lazy(() => import('./withdrawal-sheet.tsx').then((module) => ({ default: module.WithdrawalSheet })))

const VIEWS = ['approving', 'in_transit', 'paid', 'returned', 'failed'] as const

/** State of a withdrawal; on hold, also the operator and the start. */
function StateCell({ row }: { readonly row: WithdrawalListRow }) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  if (!row.hold) return <OrderStateTag of="wstate" state={row.state} />
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <OrderStateTag of="wstate" state="held" />
      <span className="block max-w-[16ch] text-12 whitespace-normal text-fg-2">
        {t('heldBy', { name: nameOf(row.hold.by), at: displayTime(row.hold.at).slice(5) })}
      </span>
    </span>
  )
}

/** All withdrawals, with amount and risk in the row. */
export function WithdrawalsScreen() {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <ListScreen
      name="withdrawals"
      title={t('withdrawalsTitle')}
      search={t('withdrawalsSearch')}
      load={(input: SentOf<typeof moneyContract.withdrawals>, signal) => moneyApi.withdrawals(input, { signal })}
      file="/operator/withdrawals"
      marks={[{ command: 'withdrawal.recheck', input: (row) => ({ withdrawalNo: row.withdrawalNo }) }]}
      rowKey={(row) => row.withdrawalNo}
      views={[
        { id: 'all', label: t('wview_all'), set: { state: undefined, held: undefined } },
        ...VIEWS.map((state) => ({ id: state, label: t(WVIEW_TEXT[state]), set: { state, held: undefined } })),
        { id: 'held', label: t('wview_held'), set: { state: undefined, held: 'true' } },
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
        { key: 'state', header: t('colState'), cell: (row) => <StateCell row={row} />, csv: (row) => (row.hold ? `${row.state} held` : row.state) },
        { key: 'time', aside: true, header: t('colTime'), align: 'right', cell: (row) => <Time at={row.createdAt} />, csv: (row) => row.createdAt },
      ]}
      empty={{ title: t('withdrawalsEmpty') }}
      pollMs={15_000}
      sheet={({ id, close }) => (
        <Suspense fallback={null}>
          <WithdrawalSheet key={id} withdrawalNo={id} onClose={close} />
        </Suspense>
      )}
    />
  )
}
