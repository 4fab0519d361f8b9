import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'
import { useApiKeys, useUsageSeries, useUsage } from '../queries.ts'
import { ExportButton } from '../export/export-button.tsx'
import { GroupTable } from './group-table.tsx'
import { UsageBar, UsageFreshness } from './usage-bar.tsx'
import { METRICS } from './usage-bars.ts'
import { UsageChart } from './usage-chart.tsx'
import { UsageTable } from './usage-table.tsx'
import { useRange } from '../use-range.ts'

const GROUP_TEXT = { key: 'group_key', model: 'group_model', vendor: 'group_vendor' } as const
const METRIC_TEXT = { tokens: 'metric_tokens', calls: 'metric_calls', cost: 'metric_cost' } as const

const GROUPS = ['vendor', 'model', 'key'] as const

/** Usage over a range of days: chart, table with the same total, and file export. */
export function UsagePage({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const days = useRange()
  const [keyId, setKeyId] = useQueryParam<string>('key', '')
  const [by, setGroup] = useQueryParam<string>('by', 'vendor')
  const [unit, setMetric] = useQueryParam<string>('unit', 'cost')
  const [view, setView] = useQueryParam<string>('view', 'sums')
  const group = GROUPS.find((one) => one === by) ?? 'vendor'
  const metric = METRICS.find((one) => one === unit) ?? 'cost'
  const { range } = days
  const own = { ...range, ...(keyId ? { keyId } : {}) }
  const series = useUsageSeries({ ...own, group })
  // Vendors are few and say little: below the chart stand their models, which come to the same.
  const listed = useUsageSeries({ ...own, group: group === 'key' ? 'key' : 'model' })
  const keys = useApiKeys(true)
  const openDays = (picked: { from: string; to: string }) =>
    void navigate({ to: '/api', search: { tab: 'requests', range: 'own', ...picked, ...(keyId ? { key: keyId } : {}) } })
  const openCall = (call: string) => void navigate({ to: '/api', search: { tab: 'requests', call } })
  return (
    <div className="grid grid-cols-1 gap-4 mobile:gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 id={titleId} className="text-20 font-bold">
          {t('tab_billingDetails')}
        </h1>
        <UsageFreshness
          at={series.dataUpdatedAt}
          isBusy={series.isRefetching}
          onRefresh={() => void client.invalidateQueries({ queryKey: ['gateway', 'usage'] })}
          file={<ExportButton wish={own} total={series.data?.totals.callNum} />}
        />
      </div>
      <UsageBar days={days} keys={keys.data?.rowList ?? []} keyId={keyId} onKey={setKeyId}>
        <Segmented label={t('groupLabel')} value={group} onChange={setGroup} items={GROUPS.map((value) => ({ value, label: t(GROUP_TEXT[value]) }))} />
        <Segmented label={t('metricLabel')} value={metric} onChange={setMetric} items={METRICS.map((value) => ({ value, label: t(METRIC_TEXT[value]) }))} />
      </UsageBar>
      {series.error ? (
        <ErrorState error={series.error} onRetry={() => void series.refetch()} />
      ) : (
        <UsageChart key={group} series={series.data} group={group} metric={metric} onDays={openDays} />
      )}
      <Segmented
        label={t('viewLabel')}
        className="justify-self-start"
        value={view === 'days' ? 'days' : 'sums'}
        onChange={setView}
        items={[
          { value: 'sums', label: t('view_sums') },
          { value: 'days', label: t('view_days') },
        ]}
      />
      {view === 'days' ? (
        <Days wish={{ ...own, group: group === 'key' ? 'key' : 'model' }} onCall={openCall} />
      ) : listed.error ? (
        <ErrorState error={listed.error} onRetry={() => void listed.refetch()} />
      ) : (
        <GroupTable
          series={listed.data}
          group={group === 'key' ? 'key' : 'model'}
          drawnBy={group}
          instead={listed.data && listed.data.groups.length === 0 ? <NoUsage /> : undefined}
        />
      )}
    </div>
  )
}

function NoUsage() {
  const t = useTexts(gatewayTexts)
  return (
    <EmptyState
      title={t('usageEmpty')}
      body={t('usageEmptyHint')}
      action={
        <Link to="/api" search={{ tab: 'pricing' }} className={getButtonClass('secondary')}>
          {t('seePrices')}
        </Link>
      }
    />
  )
}

function Days({ wish, onCall }: { readonly wish: Parameters<typeof useUsage>[0]; readonly onCall: (callId: string) => void }) {
  const usage = useUsage(wish)
  const rows = usage.data?.pages.flatMap((page) => page.rowList) ?? []
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  return (
    <>
      <UsageTable
        rows={rows}
        keyId={wish.keyId ?? ''}
        group={wish.group}
        totals={usage.data?.pages[0]?.totals}
        onCall={onCall}
        instead={usage.isPending ? <SkeletonRows rows={6} /> : rows.length ? undefined : <NoUsage />}
      />
      {rows.length ? <ListEnd hasMore={usage.hasNextPage} loading={usage.isFetchingNextPage} onMore={() => void usage.fetchNextPage()} /> : null}
    </>
  )
}
