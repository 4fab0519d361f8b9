import { useNavigate } from '@tanstack/react-router'
import type { customersContract } from '../../contract-customers.console.ts'
import type { SentOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { shortenCustomerId } from '../kit/customer-link.tsx'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { customersApi } from './customers-api.ts'
import { CustomerStatus } from './status.tsx'
import { customerTexts } from './texts.ts'

const VIEW_TEXT = { deleted: 'view_deleted', active: 'view_active', frozen: 'view_frozen' } as const

const STATUSES = ['active', 'frozen', 'deleted'] as const

/** All customers, newest first, with a search by any identifier. */
export function CustomersScreen() {
  const t = useTexts(customerTexts)
  const navigate = useNavigate()
  return (
    <ListScreen
      name="customers"
      title={t('title')}
      search={t('search')}
      load={(input: SentOf<typeof customersContract.customers>, signal) => customersApi.customers(input, { signal })}
      file="/operator/customers"
      marks={[
        { command: 'account.freeze', input: (row) => (row.status === 'active' ? { user: row.userId } : undefined) },
        { command: 'account.thaw', input: (row) => (row.status === 'frozen' ? { user: row.userId } : undefined) },
        { command: 'account.end-sessions', input: (row) => ({ user: row.userId }) },
      ]}
      rowKey={(row) => row.userId}
      onOpen={(row) => void navigate({ to: `/customers/${row.userId}` })}
      views={[
        { id: 'all', label: t('view_all'), set: { status: undefined } },
        ...STATUSES.map((status) => ({ id: status, label: t(VIEW_TEXT[status]), set: { status } })),
      ]}
      columns={[
        {
          key: 'name',
          header: t('colName'),
          cell: (row) => (
            <span className="flex max-w-[40ch] items-center gap-2">
              <strong className="truncate font-semibold">{row.name || t('noName')}</strong>
              <span className="num shrink-0 text-12 text-fg-3">{shortenCustomerId(row.userId)}</span>
            </span>
          ),
          mobile: 'title',
          csv: (row) => row.name,
        },
        { key: 'contact', header: t('colContact'), cell: (row) => <span className="num">{row.contact || '—'}</span>, csv: (row) => row.contact },
        { key: 'status', header: t('colStatus'), cell: (row) => <CustomerStatus status={row.status} />, csv: (row) => row.status },
        {
          key: 'available',
          header: t('colAvailable'),
          align: 'right',
          cell: (row) => <Usd value={row.available} className="font-semibold" />,
          mobile: 'primary',
          csv: (row) => row.available,
        },
        { key: 'recharged', header: t('colRecharged'), align: 'right', cell: (row) => <Usd value={row.recharged} />, csv: (row) => row.recharged },
        { key: 'spent', header: t('colSpent'), align: 'right', cell: (row) => <Usd value={row.spent} />, csv: (row) => row.spent },
        {
          key: 'seen',
          header: t('colSeen'),
          align: 'right',
          cell: (row) => (row.lastSeenAt ? <Time at={row.lastSeenAt} /> : '—'),
          csv: (row) => row.lastSeenAt ?? '',
        },
        { key: 'since', header: t('colSince'), align: 'right', cell: (row) => <Time at={row.createdAt} show="day" />, csv: (row) => row.createdAt },
      ]}
      empty={{ title: t('empty') }}
    />
  )
}
