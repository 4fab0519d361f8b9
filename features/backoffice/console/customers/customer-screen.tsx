import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useAddress } from '../kit/address.ts'
import { CustomerHead } from './customer-head.tsx'
import { customersApi } from './customers-api.ts'
import { CustomerOverview } from './overview.tsx'
import { TabPage } from './tab-page.tsx'
import { CUSTOMER_TABS } from './tabs.ts'
import type { CustomerTab } from './tabs.ts'
import { customerTexts } from './texts.ts'
import { CUSTOMERS_TAB_TEXT } from './state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

/** The whole of a customer: who it is, what they have, what happened, and what can be done. */
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
