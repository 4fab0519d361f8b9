import { RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { useQueryParam } from '#platform/web/url-state.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SelectField } from '#ui/select-field.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { gatewayTexts } from '../texts.ts'
import { CallSheet } from './call-sheet.tsx'
import { useKeys, useUsage, type Period } from './queries.ts'
import { UsageTable } from './usage-table.tsx'

const ALL = 'all'

/** Every day, every model, every call: filters in the URL, twenty rows at a time. */
export function Billing() {
  const t = useTexts(gatewayTexts)
  const client = useQueryClient()
  const [period, setPeriod] = useQueryParam<Period>('period', 'current')
  const [keyId, setKeyId] = useQueryParam<string>('key', '')
  const [callId, setCallId] = useQueryParam<string>('call', '')
  const keys = useKeys(true)
  const usage = useUsage(period === 'history' ? 'history' : 'current', keyId)
  const first = usage.data?.pages[0]
  const rows = usage.data?.pages.flatMap((page) => page.rowList) ?? []
  const options = [
    { value: ALL, label: t('keyFilterAll') },
    ...(keys.data?.rowList ?? []).map((key) => ({ value: key.keyId, label: key.keyName, note: key.status === 'deleted' ? t('deleted') : key.apiToken })),
  ]
  const refresh = () => {
    void client.resetQueries({ queryKey: ['gateway', 'usage'] })
    void client.invalidateQueries({ queryKey: ['gateway', 'calls'] })
  }
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
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        <Segmented
          label={t('periodLabel')}
          value={period === 'history' ? 'history' : 'current'}
          onChange={setPeriod}
          items={[
            { value: 'current', label: t('period_current') },
            { value: 'history', label: t('period_history') },
          ]}
        />
        <SelectField
          label={t('keyFilter')}
          hideLabel
          className="w-64 mobile:order-last mobile:w-full"
          options={options}
          value={keyId || ALL}
          onChange={(value) => setKeyId(value === ALL ? '' : value)}
        />
        <div className="ml-auto flex items-center gap-3">
          <span className="text-13 text-fg-3">
            <Updated at={usage.dataUpdatedAt} />
          </span>
          <Button variant="secondary" size="sm" loading={usage.isRefetching && !usage.isFetchingNextPage} onClick={refresh}>
            <RefreshCw size={14} strokeWidth={1.75} aria-hidden="true" />
            {t('refresh')}
          </Button>
        </div>
      </div>
      {usage.error ? (
        <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
      ) : (
        <UsageTable
          rows={rows}
          keyId={keyId}
          totals={first}
          onCall={setCallId}
          instead={usage.isPending ? <SkeletonRows rows={6} /> : rows.length ? undefined : empty}
        />
      )}
      {rows.length ? <ListEnd hasMore={usage.hasNextPage} loading={usage.isFetchingNextPage} onMore={() => void usage.fetchNextPage()} /> : null}
      <CallSheet callId={callId} onClose={() => setCallId('')} />
    </>
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
