import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useAddress } from '../kit/address.ts'
import { customersApi } from './customers-api.ts'
import { CustomerOverview } from './overview.tsx'
import { CUSTOMER_TABS } from './tabs.ts'
import type { CustomerTab } from './tabs.ts'
import { customerTexts } from './texts.ts'
import { CUSTOMERS_TAB_TEXT } from './state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { ListEnd } from '#ui/list-end.tsx'
import { useTabColumns } from './tab-columns.tsx'
import type { CustomerTabRow } from './tab-columns.tsx'
import { moneyApi } from '../orders/money-api.ts'
import { Check, Eye, Snowflake, Sun, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission } from '../kit/use-me.ts'
import type { Customer } from './customer.ts'
import { CustomerStatus } from './status.tsx'

const FROZEN_NOTE_TEXT = { all: 'frozenNote_all', calls: 'frozenNote_calls', money_out: 'frozenNote_money_out' } as const
const FROZEN_TEXT = { calls: 'frozen_calls', money_out: 'frozen_money_out' } as const
const IDENTITY_TEXT = { review: 'identity_review', rejected: 'identity_rejected' } as const

const RevealDialog = lazy(() => import('./reveal-dialog.tsx').then((module) => ({ default: module.RevealDialog })))
const ViewAsDialog = lazy(() => import('./view-as-dialog.tsx').then((module) => ({ default: module.ViewAsDialog })))

function CustomerHead({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [dialog, setDialog] = useState<'reveal' | 'viewAs'>()
  const { userId, freezes } = customer
  const input = { user: userId }
  const about = customer.name || userId
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-3 px-5 pt-4 pb-2 mobile:px-4">
      <span aria-hidden="true" className="flex size-10 shrink-0 items-center justify-center rounded-full bg-brand-soft text-16 font-semibold text-brand-text">
        {[...(customer.name || '?')][0]}
      </span>
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-center gap-2">
          <h1 dir="auto" className="min-w-0 text-18 font-bold [overflow-wrap:anywhere]">
            {customer.name || t('noName')}
          </h1>
          <Tags customer={customer} />
        </div>
        <p className="flex flex-wrap items-center gap-x-3 text-13 text-fg-2">
          <span className="num inline-flex items-center">
            {userId}
            <CopyButton iconOnly text={userId} className="-my-2" />
          </span>
          {[customer.email, customer.mobile].filter(Boolean).map((one) => (
            <span key={one} className="num">
              {one}
            </span>
          ))}
          {may('contacts.reveal') && (customer.email || customer.mobile) ? (
            <button type="button" className="link" onClick={() => setDialog('reveal')}>
              {t('reveal')}
            </button>
          ) : null}
          <span className="text-fg-3">
            {t('since', { since: displayTime(customer.createdAt, 'day') })}
            {customer.lastSeenAt ? `, ${t('lastSeen', { at: displayTime(customer.lastSeenAt) })}` : ''}
          </span>
        </p>
        {freezes.map(({ scope, at, by, reason }) => (
          <p key={scope} className="mt-1 text-13 text-danger [overflow-wrap:anywhere]">
            {t(FROZEN_NOTE_TEXT[scope], { at: displayTime(at), by: nameOf(by.replace(/^operator:/, '')), reason })}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {freezes.length ? (
          <CommandButton name="account.thaw" word={t('thaw')} input={input} about={about} icon={<Sun size={14} strokeWidth={1.75} aria-hidden="true" />} />
        ) : null}
        {customer.status === 'active' ? (
          <CommandButton
            name="account.freeze"
            word={t('freeze')}
            input={input}
            about={about}
            danger
            icon={<Snowflake size={14} strokeWidth={1.75} aria-hidden="true" />}
          />
        ) : null}
        {may('customers.view') ? (
          <Button variant="secondary" onClick={() => setDialog('viewAs')}>
            <Eye size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('viewAs')}
          </Button>
        ) : null}
      </div>
      <Suspense fallback={null}>
        {dialog === 'reveal' ? <RevealDialog customer={customer} onClose={() => setDialog(undefined)} /> : null}
        {dialog === 'viewAs' ? <ViewAsDialog userId={userId} onClose={() => setDialog(undefined)} /> : null}
      </Suspense>
    </header>
  )
}

/** Badges for the customer's status, freezes, identity check and other flags. */
function Tags({ customer }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  const { identity } = customer
  return (
    <>
      {customer.status === 'active' ? null : <CustomerStatus status={customer.status} />}
      {customer.freezes.map(({ scope }) =>
        scope === 'all' ? null : (
          <Badge key={scope} tone="danger" icon={<Snowflake size={12} aria-hidden="true" />}>
            {t(FROZEN_TEXT[scope])}
          </Badge>
        ),
      )}
      {identity === 'passed' ? (
        <Badge tone="success" icon={<Check size={12} aria-hidden="true" />}>
          {t('identity_passed')}
        </Badge>
      ) : identity === 'review' || identity === 'rejected' ? (
        <Badge tone="warning">{t(IDENTITY_TEXT[identity])}</Badge>
      ) : null}
      {customer.waiting.map((one) => (
        <Link key={one.no} to={`/approvals?open=${one.no}`} className="tag tag-outline text-warning no-underline">
          <Users size={12} aria-hidden="true" />
          {t('waiting', { act: say.command(one.name) })}
        </Link>
      ))}
    </>
  )
}

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

/** A tab of rows, loaded on scrolling. */
function TabPage({ tab, userId }: { readonly tab: CustomerTab; readonly userId: string }) {
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

/** The same rows on a phone: one name and value per line. */
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

/** Everything about a customer: identity, holdings, history, and commands. */
export function CustomerScreen() {
  const t = useTexts(customerTexts)
  const { userId = '' } = useParams({ strict: false }) as { userId?: string }
  const [{ tab = 'overview' }, set] = useAddress()
  const { data, error, refetch } = useQuery({
    queryKey: ['customer', userId],
    queryFn: ({ signal }) => customersApi.customer({ userId }, { signal }),
    retry: false,
  })
  useTitle(data?.name || t('title'))
  if (isApiError(error) && error.errorName === 'NOT_FOUND')
    return (
      <EmptyState
        title={t('notThere')}
        body={t('notThereBody', { id: userId })}
        action={
          <Link to="/customers" className="link">
            {t('toCustomers')}
          </Link>
        }
      />
    )
  if (!data)
    return (
      <div className="p-5">
        <h1 className="sr-only">{t('title')}</h1>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={12} />}
      </div>
    )
  const here = (['overview', ...CUSTOMER_TABS] as readonly string[]).includes(tab) ? tab : 'overview'
  return (
    <div className="flex h-full flex-col">
      <CustomerHead customer={data} />
      <div role="group" aria-label={t('title')} className="no-bar flex shrink-0 gap-5 overflow-x-auto border-b border-line px-5 mobile:px-4">
        {(['overview', ...CUSTOMER_TABS] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={here === one}
            onClick={() => set({ tab: one === 'overview' ? undefined : one })}
            className="-mb-px shrink-0 border-b-2 border-transparent py-1.5 text-13 text-fg-2 -outline-offset-2 hover:text-fg aria-pressed:border-brand aria-pressed:font-semibold aria-pressed:text-fg mobile:min-h-11"
          >
            {t(CUSTOMERS_TAB_TEXT[one])}
            {data.counts[one] ? <span className="num ml-1.5 text-12 font-normal text-fg-3">{data.counts[one] >= 1000 ? '999+' : data.counts[one]}</span> : null}
          </button>
        ))}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto" tabIndex={0} role="group" aria-label={t(resolveTextKey(CUSTOMERS_TAB_TEXT, here))}>
        {here === 'overview' ? <CustomerOverview customer={data} /> : <TabPage key={here} tab={here as CustomerTab} userId={userId} />}
      </div>
    </div>
  )
}
