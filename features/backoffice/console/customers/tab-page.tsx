import { useInfiniteQuery } from '@tanstack/react-query'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useTabColumns } from './tab-columns.tsx'
import type { CustomerTabRow } from './tab-columns.tsx'
import type { CustomerTab } from './tabs.ts'
import { customersApi } from './customers-api.ts'
import { moneyApi } from '../orders/money-api.ts'
import { customerTexts } from './texts.ts'
import { CUSTOMERS_TAB_TEXT } from './state-texts.ts'

type LoadTab = (
  input: { readonly userId: string; readonly after?: string; readonly limit: number },
  signal: AbortSignal,
) => Promise<{ readonly rows: readonly CustomerTabRow[]; readonly next: string | null }>

const tabLoaders: Readonly<Record<CustomerTab, LoadTab>> = {
  ledger: (input, signal) => customersApi.customerLedger(input, { signal }),
  orders: (input, signal) => moneyApi.orders(input, { signal }),
  calls: (input, signal) => customersApi.customerCalls(input, { signal }),
  keys: (input, signal) => customersApi.customerKeys(input, { signal }),
  sessions: (input, signal) => customersApi.customerSessions(input, { signal }),
  cards: (input, signal) => customersApi.customerCards(input, { signal }),
  notices: (input, signal) => customersApi.customerNotices(input, { signal }),
  conversations: (input, signal) => customersApi.customerConversations(input, { signal }),
  notes: (input, signal) => customersApi.customerNotes(input, { signal }),
  invitations: (input, signal) => customersApi.customerInvitations(input, { signal }),
  audit: async ({ userId, after, limit }, signal) => {
    const { rows, before } = await customersApi.audit({ target: `user:${userId}`, limit, ...(after ? { before: after } : {}) }, { signal })
    return { rows, next: before }
  },
}
const PAGE = 50

/** A tab of rows, read as one scrolls. */
export function TabPage({ tab, userId }: { readonly tab: CustomerTab; readonly userId: string }) {
  const t = useTexts(customerTexts)
  const columns = useTabColumns(userId)[tab]
  const query = useInfiniteQuery({
    queryKey: ['customer-tab', tab, userId],
    queryFn: ({ pageParam, signal }) => tabLoaders[tab]({ userId, limit: PAGE, ...(pageParam ? { after: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const mobile = useIsMobile()
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  if (query.isPending) return <SkeletonRows rows={10} />
  if (query.isError && !rows.length)
    return (
      <div className="p-5">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  if (!rows.length) return <EmptyState title={t('noEntries')} />
  const Look = mobile ? TabCards : TabTable
  return (
    <>
      <Look tab={tab} columns={columns} rows={rows} />
      <ListEnd hasMore={query.hasNextPage} loading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
    </>
  )
}

interface TabProps {
  readonly tab: CustomerTab
  readonly columns: ReturnType<typeof useTabColumns>[CustomerTab]
  readonly rows: readonly CustomerTabRow[]
}

function TabTable({ tab, columns, rows }: TabProps) {
  const t = useTexts(customerTexts)
  return (
    <table className="w-full border-collapse text-13 tabular">
      <caption className="sr-only">{t(CUSTOMERS_TAB_TEXT[tab])}</caption>
      <thead className="sticky top-0 bg-sunken">
        <tr>
          {columns.map(({ key, header, right }) => (
            <th
              key={key}
              scope="col"
              className={`h-8 px-2.5 text-12 font-medium whitespace-nowrap text-fg-2 first:pl-5 last:pr-5 ${right ? 'text-right' : 'text-left'}`}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={at} className="ops-row">
            {columns.map(({ key, cell, right }) => (
              <td key={key} className={`px-2.5 py-1 first:pl-5 last:pr-5 ${right ? 'text-right' : ''}`}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The same rows on a phone: a name and a value a line. */
function TabCards({ tab, columns, rows }: TabProps) {
  const t = useTexts(customerTexts)
  return (
    <ul aria-label={t(CUSTOMERS_TAB_TEXT[tab])} className="divide-y divide-line bg-surface">
      {rows.map((row, at) => (
        <li key={at} className="px-4 py-3">
          <dl className="grid grid-cols-1 gap-y-0.5 text-13">
            {columns.map(({ key, header, cell }) => (
              <div key={key} className="flex items-baseline justify-between gap-4">
                <dt className="shrink-0 text-fg-3">{header}</dt>
                <dd className="min-w-0 text-right tabular [overflow-wrap:anywhere]">{cell(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
