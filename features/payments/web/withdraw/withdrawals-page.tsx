import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Cny, Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { WithdrawalRow } from '../../contract-withdraw.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { PaymentsPageHead } from '../page-head.tsx'
import { useWithdrawals } from './use-withdraw.ts'
import { sumPartlyRefunded, WithdrawalBadge } from './withdrawal-badge.tsx'

const Amount = (row: WithdrawalRow) => <Usd value={row.amount} figure={FIGURES['withdrawals.row.amount']} className="font-medium" />

/** /withdrawals: amount, destination and progress of each withdrawal. */
export function WithdrawalsPage() {
  const t = useTexts(withdrawTexts)
  const pages = useTexts(pageTexts)
  const p = useTexts(paymentTexts)
  useTitle(pages('withdrawals'))
  const list = useWithdrawals()
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns: readonly Column<WithdrawalRow>[] = [
    {
      key: 'no',
      header: t('fact_withdrawal'),
      mobile: 'title',
      cell: (row) => (
        <Link
          to="/withdrawals/$withdrawalNo"
          params={{ withdrawalNo: row.withdrawalNo }}
          className="link num inline-flex items-center text-13 no-underline hover:underline mobile:min-h-11"
        >
          {row.withdrawalNo}
          {row.withdrawType === 2 ? <span className="ml-2 text-fg-3">{t('withdraw_of_rewards')}</span> : null}
        </Link>
      ),
    },
    { key: 'time', header: t('fact_asked'), from: 900, cell: (row) => <Time at={row.createdTime} className="text-fg-2" /> },
    {
      key: 'account',
      from: 1200,
      header: t('fact_account'),
      cell: (row) =>
        row.account.alipay ? (
          <>
            <span className="num">{row.account.alipay}</span> · {row.account.name}
          </>
        ) : (
          t('way_back')
        ),
    },
    { key: 'amount', header: p('col_amount'), align: 'right', mobile: 'primary', cell: Amount },
    {
      key: 'paid',
      from: 900,
      header: t('line_arrives'),
      align: 'right',
      cell: (row) => {
        const part = sumPartlyRefunded(row)
        return <Cny value={part ?? row.payAmount} className={row.withdrawStatus === 2 && !part ? 'text-fg-3 line-through' : 'text-fg-2'} />
      },
    },
    { key: 'status', header: p('col_status'), cell: (row) => <WithdrawalBadge row={row} /> },
  ]
  const withdraw = (variant?: 'secondary') => (
    <Button {...(variant ? { variant } : {})} onClick={() => openDialog('withdraw')}>
      {t('withdraw')}
    </Button>
  )
  const empty = <EmptyState title={t('withdrawals_empty')} body={t('withdrawals_empty_about')} action={withdraw('secondary')} />
  return (
    <div>
      <PaymentsPageHead here="withdrawals" action={withdraw()} />
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} title={t('withdrawals_failed')} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={pages('withdrawals')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.withdrawalNo}
            instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : empty}
          />
          {rows.length > 9 || list.hasNextPage ? (
            <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          ) : null}
        </>
      )}
    </div>
  )
}
