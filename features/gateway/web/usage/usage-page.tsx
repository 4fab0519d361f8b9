import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { getButtonClass, Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows, Skeleton } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../../texts.ts'
import { useApiKeys, useUsageSeries, useUsage } from '../queries.ts'
import { ExportButton } from '../export/export-button.tsx'
import { GroupTable } from './group-table.tsx'
import { METRICS, buildSeriesBars, getBarDays, buildLegend, getMetricReducer, getGroupSums, getMetricValue } from './usage-bars.ts'
import type { Metric, UsageSeries } from './usage-bars.ts'
import { UsageTable } from './usage-table.tsx'
import { useRange, RANGE_NAMES } from '../use-range.ts'
import type { ShanghaiDayRange } from '../use-range.ts'
import { useState, useEffect } from 'react'
import type { ReactNode } from 'react'
import { parseUsd, computePartShare, formatUsd } from '#platform/shared/money.ts'
import { formatCount, countCommonPlaces } from '#platform/shared/show-money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { displayUsd, displayShortUsd } from '#platform/web/money.tsx'
import { Bars } from '#ui/chart/bars.tsx'
import { formatAxisCount, formatAxisUsd } from '../figures.ts'
import { Legend } from './legend.tsx'
import { RefreshCw } from 'lucide-react'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import type { ApiKeyRow } from '../../contract.ts'
import { GATEWAY_RANGE_TEXT } from '../../state-texts.ts'

const ALL = 'all'

interface UsageBarProps {
  readonly days: ReturnType<typeof useRange>
  readonly keys: readonly ApiKeyRow[]
  readonly keyId: string
  readonly onKey: (keyId: string) => void
  /** Controls for how the usage is drawn. */
  readonly children: ReactNode
}

/** Filters by days and key. */
function UsageBar({ days, keys, keyId, onKey, children }: UsageBarProps) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-3 mobile:gap-2">
        <Segmented
          label={t('periodLabel')}
          value={days.name}
          onChange={days.setName}
          items={RANGE_NAMES.map((value) => ({ value, label: t(GATEWAY_RANGE_TEXT[value]) }))}
        />
        <PickField
          label={t('keyFilter')}
          hideLabel
          className="w-48 mobile:w-full"
          options={[{ value: ALL, label: t('keyFilterAll') }, ...keys.map((key) => ({ value: key.keyId, label: key.keyName }))]}
          value={keyId || ALL}
          onChange={(value) => onKey(value === ALL ? '' : value)}
        />
        <div className="ml-auto flex flex-wrap gap-3 mobile:ml-0 mobile:gap-2">{children}</div>
      </div>
      {days.name === 'own' ? (
        <div className="grid gap-3 desktop:grid-cols-[minmax(0,220px)_minmax(0,220px)] mobile:grid-cols-2">
          <TextField label={t('rangeFrom')} type="date" value={days.from} max={days.to || days.today} onChange={(event) => days.setFrom(event.target.value)} />
          <TextField
            label={t('rangeTo')}
            type="date"
            value={days.to}
            min={days.from || undefined}
            max={days.today}
            error={days.isBackwards ? t('rangeBad') : undefined}
            onChange={(event) => days.setTo(event.target.value)}
          />
        </div>
      ) : null}
    </div>
  )
}

/** Age of the figures, and the export of all of them. */
function UsageFreshness({
  at,
  isBusy,
  onRefresh,
  file,
}: {
  readonly at: number
  readonly isBusy: boolean
  readonly onRefresh: () => void
  readonly file: ReactNode
}) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="flex items-center gap-3">
      <span className="text-13 text-fg-3 mobile:hidden">
        <Updated at={at} />
      </span>
      <Button variant="secondary" size="sm" loading={isBusy} onClick={onRefresh}>
        <RefreshCw size={14} strokeWidth={1.75} aria-hidden="true" />
        {t('refresh')}
      </Button>
      {file}
    </div>
  )
}

function Updated({ at }: { readonly at: number }) {
  const t = useTexts(gatewayTexts)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  if (!at) return null
  const seconds = Math.floor(Math.max(0, now - at) / 1000)
  return <>{seconds < 5 ? t('updatedNow') : t('updatedAgo', { seconds })}</>
}

const CHART_TEXT = { month: 'chart_month', hour: 'chart_hour', day: 'chart_day' } as const

interface UsageChartProps {
  readonly series: UsageSeries | undefined
  readonly group: 'vendor' | 'model' | 'key'
  readonly metric: Metric
  /** Opens the requests page for these days. */
  readonly onDays: (days: ShanghaiDayRange) => void
}

/** Chart of a range by hour, day or month. Its legend toggles the series and shows their sums. */
function UsageChart({ series, group, metric, onDays }: UsageChartProps) {
  const t = useTexts(gatewayTexts)
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  if (!series)
    return (
      <div className="card p-5 mobile:p-4">
        <Skeleton className="h-8 w-48" />
        <Skeleton className="mt-4 h-[264px] w-full mobile:h-[156px]" />
      </div>
    )
  const legend = buildLegend(series, group, t('otherVendor'))
  const shown = legend.filter((item) => !off.has(item.key))
  const add = getMetricReducer(metric)
  const places = countCommonPlaces(
    legend.map((item) => getGroupSums(series, item.key).consumeAmount),
    4,
  )
  const format = metric === 'cost' ? (value: string) => displayUsd(value, places) : (value: string) => formatCount(Number(value))
  const total = add(shown.map((item) => getMetricValue(getGroupSums(series, item.key), metric)))
  const bars = buildSeriesBars(series, metric, { now: toShanghaiTime(new Date()), today: t('range_today') })
  const toggle = (key: string) =>
    setOff((old) => {
      const next = new Set(old)
      if (!next.delete(key) && next.size < legend.length - 1) next.add(key)
      return next
    })
  return (
    <div className="card grid desktop:grid-cols-[minmax(0,1fr)_248px]">
      <div className="min-w-0 p-5 mobile:p-4">
        <p className="mb-1 flex flex-wrap items-baseline gap-x-3">
          <span className="num text-28 font-semibold mobile:text-20">{metric === 'cost' ? displayShortUsd(total, 'spent', 4) : format(total)}</span>
          <span className="text-13 text-fg-2">{t('chartSum', { calls: formatCount(series.totals.callNum) })}</span>
        </p>
        <Bars
          title={t(CHART_TEXT[series.step])}
          bars={bars}
          series={shown}
          format={format}
          tick={metric === 'cost' ? formatAxisUsd : formatAxisCount}
          sum={add}
          isWhole={metric !== 'cost'}
          mean={buildMeanLine(series, total, { metric, format, t })}
          onPick={(bar) => onDays(getBarDays(bar.key, series))}
          pickText={t('pickDay')}
          empty={series.totals.callNum ? undefined : t('usageNone')}
        />
      </div>
      {legend.length ? <Legend series={series} legend={legend} off={off} metric={metric} format={format} total={total} onToggle={toggle} /> : null}
    </div>
  )
}

/** Builds the mean line, for ranges of at least four days. */
function buildMeanLine(
  series: UsageSeries,
  total: string,
  {
    metric,
    format,
    t,
  }: { readonly metric: Metric; readonly format: (value: string) => string; readonly t: (key: 'dailyMean', values: { amount: string }) => string },
) {
  const days = (Date.parse(series.to) - Date.parse(series.from)) / 86_400_000 + 1
  if (series.step !== 'day' || days < 4 || series.totals.callNum === 0) return undefined
  const each = metric === 'cost' ? formatUsd(computePartShare(parseUsd(total), 1n, BigInt(days))) : String(Math.round(Number(total) / days))
  return { at: Number(each), text: t('dailyMean', { amount: metric === 'cost' ? displayShortUsd(each, 'spent') : format(each) }) }
}

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
  // Vendors are few, so the list below the chart shows models, which have the same total.
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
