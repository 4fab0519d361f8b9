import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/url-state.ts'
import { buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { BillingBar } from './billing-bar.tsx'
import { CallFilters, useCallFilters } from './call-filters.tsx'
import { CallList } from './call-list.tsx'
import { CallSheet } from './call-sheet.tsx'
import { ExportButton } from './export-button.tsx'
import { useKeys, useSeries, useUsage } from './queries.ts'
import { UsageChart } from './usage-chart.tsx'
import { UsageTable } from './usage-table.tsx'
import { useRange } from './use-range.ts'

/** Every hour, day, model, key and call of a range: filters in the URL, a page at a time, the whole as a file. */
export function Billing() {
  const t = useTexts(gatewayTexts)
  const client = useQueryClient()
  const days = useRange()
  const [keyId, setKeyId] = useQueryParam<string>('key', '')
  const [asked, setGroup] = useQueryParam<string>('by', 'model')
  const [view, setView] = useQueryParam<string>('view', 'sums')
  const [callId, setCallId] = useQueryParam<string>('call', '')
  const group = asked === 'key' ? 'key' : 'model'
  const { range } = days
  const wish = { ...range, group, keyId: keyId || undefined } as const
  const series = useSeries(wish)
  const filters = useCallFilters()
  const single = view === 'calls'
  const calls = { ...range, keyId: keyId || undefined, ...(single ? filters.wish : {}) }
  const keys = useKeys(true)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['gateway', 'usage'] })
    void client.resetQueries({ queryKey: ['gateway', 'calls'] })
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <BillingBar
        days={days}
        keys={keys.data?.rowList ?? []}
        keyId={keyId}
        onKey={setKeyId}
        updatedAt={series.dataUpdatedAt}
        isBusy={series.isRefetching}
        onRefresh={refresh}
      />
      {series.error ? <ErrorState error={series.error} onRetry={() => void series.refetch()} /> : <UsageChart series={series.data} />}
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label={t('viewLabel')}
          value={single ? 'calls' : 'sums'}
          onChange={setView}
          items={[
            { value: 'sums', label: t('view_sums') },
            { value: 'calls', label: t('view_calls') },
          ]}
        />
        <Segmented
          label={t('groupLabel')}
          value={group}
          onChange={setGroup}
          items={[
            { value: 'model', label: t('group_model') },
            { value: 'key', label: t('group_key') },
          ]}
        />
        <div className="ml-auto mobile:ml-0">
          <ExportButton wish={calls} total={single && filters.isSet ? undefined : series.data?.totals.callNum} />
        </div>
      </div>
      {single ? <CallFilters filters={filters} models={series.data?.groups ?? []} group={group} /> : null}
      {single ? <CallList wish={calls} onCall={setCallId} /> : <Sums wish={wish} onCall={setCallId} />}
      <CallSheet callId={callId} onClose={() => setCallId('')} />
    </div>
  )
}

function Sums({ wish, onCall }: { readonly wish: Parameters<typeof useUsage>[0]; readonly onCall: (callId: string) => void }) {
  const t = useTexts(gatewayTexts)
  const usage = useUsage(wish)
  const rows = usage.data?.pages.flatMap((page) => page.rowList) ?? []
  const empty = (
    <EmptyState
      title={t('usageEmpty')}
      body={t('usageEmptyHint')}
      action={
        <Link to="/api" search={{ tab: 'pricing' }} className={buttonClass('secondary')}>
          {t('seePrices')}
        </Link>
      }
    />
  )
  if (usage.error) return <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
  return (
    <>
      <UsageTable
        rows={rows}
        keyId={wish.keyId ?? ''}
        group={wish.group}
        totals={usage.data?.pages[0]?.totals}
        onCall={onCall}
        instead={usage.isPending ? <SkeletonRows rows={6} /> : rows.length ? undefined : empty}
      />
      {rows.length ? <ListEnd hasMore={usage.hasNextPage} loading={usage.isFetchingNextPage} onMore={() => void usage.fetchNextPage()} /> : null}
    </>
  )
}
