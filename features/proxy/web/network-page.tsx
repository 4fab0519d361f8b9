import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import type { ProxyStat } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { Tutorial } from './tutorial.tsx'
import { UsageTab } from './usage-tab.tsx'
import { UsesTab } from './uses-tab.tsx'
import { useProxyStat } from './use-proxy.ts'

type Tab = 'usage' | 'tutorial' | 'account'

/** /network: the proxy in use, how to use it, what was used. */
export function NetworkPage() {
  const t = useTexts(proxyTexts)
  useTitle(t('networkTitle'))
  const [tab, setTab] = useQueryParam<Tab>('tab', 'usage')
  const { data, isError, error, refetch } = useProxyStat()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-20 font-bold">{t('networkTitle')}</h1>
        <p className="text-13 text-fg-2">{data ? <Facts stat={data} /> : null}</p>
      </header>
      {data ? (
        <Tabs
          label={t('networkTitle')}
          value={tab}
          onChange={setTab}
          items={[
            { value: 'usage', label: t('networkUsage'), panel: <UsageTab stat={data} /> },
            { value: 'tutorial', label: t('networkTutorial'), panel: <Tutorial /> },
            { value: 'account', label: t('networkAccount'), panel: <UsesTab /> },
          ]}
        />
      ) : (
        <Waiting />
      )}
    </>
  )
}

function Facts({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  return t('networkFacts', { price: displayUsd(stat.price), minutes: stat.minutes, tunnels: stat.limits.tunnels, megabits: stat.limits.megabits })
}

function Waiting() {
  return (
    <div className="grid grid-cols-[minmax(0,460px)_1fr] gap-10 mobile:grid-cols-1" aria-busy="true">
      <Skeleton className="h-96" />
      <Skeleton className="h-80" />
    </div>
  )
}
