import { useCallback, useEffect } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import type { ReplyOf, SentOf } from '#platform/shared/contract.ts'
import { copyText } from '#platform/web/clipboard.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows, Skeleton } from '#ui/skeleton.tsx'
import { SplitView } from '#ui/split-view.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { RequestRow, requestsContract, OpenApiCall } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { useApiKeys } from '../queries.ts'
import { ExportButton } from '../export/export-button.tsx'
import { RequestBar } from './request-bar.tsx'
import { RequestList } from './request-list.tsx'
import { useSelectedCall } from './use-selected-call.ts'
import { useRequestFilters } from './use-request-filters.ts'
import { filterOpenCalls, useOpenCalls } from './use-open-calls.ts'
import { GATEWAY_RANGE_TEXT } from '../../state-texts.ts'
import { CallReceiptView } from './call-receipt.tsx'
import { OpenCallDetail } from './open-call.tsx'
import { RefusedCallDetail } from './refused-detail.tsx'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { requestsApi, usageApi } from '../gateway-api.ts'

type RequestsQuery = Omit<SentOf<(typeof requestsContract)['requests']>, 'after'>
const PAGE = 30
const WATCH_MS = 5_000
const QUERY_KEY = ['gateway', 'requests'] as const

const useRequests = (wish: RequestsQuery, enabled: boolean) =>
  useInfiniteQuery({
    queryKey: [...QUERY_KEY, 'list', wish],
    enabled,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => requestsApi.requests({ ...wish, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
  })

const useRequestCounts = (wish: SentOf<(typeof requestsContract)['requestCounts']>) =>
  useQuery({ queryKey: [...QUERY_KEY, 'counts', wish], queryFn: ({ signal }) => requestsApi.requestCounts(wish, { signal }) })

/** Counts calls since the list was loaded. They are shown on demand, so that rows do not move while the user reads. */
function useNewRequests(wish: RequestsQuery, known: readonly string[] | undefined) {
  const client = useQueryClient()
  const watch = useQuery({
    queryKey: [...QUERY_KEY, 'news', wish],
    queryFn: ({ signal }) => requestsApi.requests({ ...wish, pageSize: PAGE }, { signal, alone: true }),
    enabled: known !== undefined && wish.find === undefined,
    refetchInterval: WATCH_MS,
    staleTime: WATCH_MS,
    retry: false,
  })
  const listed = new Set(known)
  const count = known === undefined ? 0 : (watch.data?.rowList ?? []).filter((row) => !listed.has(row.id)).length
  const look = useCallback(() => void client.invalidateQueries({ queryKey: [...QUERY_KEY, 'news'] }), [client])
  return { count, isMany: count >= PAGE, isLive: !watch.isError, look, show: () => void client.resetQueries({ queryKey: QUERY_KEY }) }
}

const useCallDetail = (callId: string) =>
  useQuery({ queryKey: ['gateway', 'call', callId], queryFn: ({ signal }) => usageApi.call({ callId }, { signal }), staleTime: Infinity })
const useRefusedCall = (id: string) =>
  useQuery({ queryKey: ['gateway', 'refused', id], queryFn: ({ signal }) => requestsApi.refusedCall({ id }, { signal }), staleTime: Infinity })

interface RequestDetailProps {
  readonly id: string
  /** Calls under way; undefined until loaded. */
  readonly open: readonly OpenApiCall[] | undefined
  readonly ahead: number
}

/** Detail of a call: its receipt, its state while under way, or the reason for its refusal. */
function RequestDetail({ id, open, ahead }: RequestDetailProps) {
  if (id.startsWith('ref_')) return <RefusedRequestDetail id={id} />
  if (open === undefined) return <DetailSkeleton />
  const call = open.find((row) => row.id === id)
  return call ? <OpenCallDetail call={call} ahead={ahead} /> : <BilledCallDetail id={id} />
}

function BilledCallDetail({ id }: { readonly id: string }) {
  const call = useCallDetail(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <CallReceiptView call={call.data} /> : <DetailSkeleton />
}

function RefusedRequestDetail({ id }: { readonly id: string }) {
  const call = useRefusedCall(id)
  if (call.error) return <ErrorState error={call.error} onRetry={() => void call.refetch()} />
  return call.data ? <RefusedCallDetail call={call.data} /> : <DetailSkeleton />
}

function DetailSkeleton() {
  return (
    <div className="grid gap-3 p-5">
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-5 w-2/3" />
    </div>
  )
}

type Filters = ReturnType<typeof useRequestFilters>

/** All calls, including refused ones, with the detail of the selected one beside them. */
export function RequestsPage({ titleId }: { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  const filters = useRequestFilters()
  const keys = useApiKeys(true)
  const found = useRequestResults(filters)
  const { underWay, known, chosen, close } = found
  return (
    <div className="grid grid-cols-1 gap-4">
      <Head titleId={titleId} filters={filters} found={found} />
      <RequestBar filters={filters} keys={keys.data?.rowList ?? []} counts={known} />
      <SplitView
        label={t('callTitle')}
        shown={chosen}
        onClose={close}
        detail={
          chosen === '' ? undefined : <RequestDetail key={chosen} id={chosen} open={underWay.error ? [] : underWay.data?.rowList} ahead={underWay.ahead} />
        }
        list={<RequestResults filters={filters} found={found} />}
      />
    </div>
  )
}

/** Results for the filters: ended calls, open ones, and counts by state. */
function useRequestResults(filters: Filters) {
  const calls = useRequests(filters.wish, !filters.isOpenOnly)
  const counts = useRequestCounts(filters.narrow)
  const listed = calls.data?.pages.flatMap((page) => page.rowList)
  const news = useNewRequests(filters.wish, filters.isOpenOnly ? undefined : listed?.map((row) => row.id))
  const hasMore = calls.hasNextPage && !filters.isOpenOnly
  const underWay = useOpenCalls(filters.narrow, news.look)
  // an open call's cost is unknown, and it matches none of the other states
  const open = filters.state || filters.minAmount ? [] : filterOpenCalls(underWay.data?.rowList ?? [], filters.find)
  // between two responses a call can be in both lists
  const rows = filters.isOpenOnly ? (underWay.data ? [] : undefined) : listed?.filter((row) => !open.some(({ id }) => id === row.id))
  const { chosen, show, close } = useSelectedCall()
  useRowKeys([...open.map(({ id }) => ({ id, requestId: id })), ...(rows ?? [])], chosen, show)
  const known = filters.find || filters.minAmount || !counts.data ? undefined : addOpenCount(counts.data, underWay.data?.count)
  const onlyCounted = known ? known.refused - known.kept : 0
  const failed = filters.isOpenOnly ? underWay : calls
  return { calls, counts, news, hasMore, underWay, open, rows, chosen, show, close, known, onlyCounted, failed }
}

interface PartProps {
  readonly filters: Filters
  readonly found: ReturnType<typeof useRequestResults>
}

function Head({ titleId, filters, found: { counts, known, news } }: PartProps & { readonly titleId: string }) {
  const t = useTexts(gatewayTexts)
  const { range, name } = filters.days
  const { state: _, ...fileWish } = filters.wish
  const outcome = filters.state === 'refused' ? undefined : filters.state
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h1 id={titleId} className="text-20 font-bold">
          {t('tab_requests')}
        </h1>
        {counts.data ? (
          <p className="text-14 text-fg-2">
            {t('requestsSum', {
              range: name === 'own' ? `${range.from.slice(5)} – ${range.to.slice(5)}` : t(GATEWAY_RANGE_TEXT[name]),
              count: formatCount((known ?? counts.data).all),
              refused: formatCount(counts.data.refused),
            })}
          </p>
        ) : null}
      </div>
      <div className="flex items-center gap-3">
        <span className={`inline-flex items-center gap-2 text-13 ${news.isLive ? 'text-brand-text' : 'text-fg-3'}`}>
          <span className={`size-2 rounded-full ${news.isLive ? 'bg-brand ring-3 ring-brand-soft' : 'bg-control'}`} aria-hidden="true" />
          {t(news.isLive ? 'live' : 'offline')}
        </span>
        {filters.state === 'refused' || filters.isOpenOnly || filters.find ? null : (
          <ExportButton wish={{ ...fileWish, ...(outcome ? { outcome } : {}) }} total={undefined} />
        )}
      </div>
    </div>
  )
}

function RequestResults({ filters, found: { calls, news, hasMore, underWay, open, rows, chosen, show, onlyCounted, failed } }: PartProps) {
  const t = useTexts(gatewayTexts)
  return (
    <div className="grid grid-cols-1 gap-3">
      {news.count ? (
        <Button variant="secondary" size="sm" className="justify-self-center" onClick={news.show}>
          {t(news.isMany ? 'newsMany' : 'news', { count: formatCount(news.count) })}
        </Button>
      ) : null}
      {open.length && underWay.data && !filters.find ? (
        <p className="text-13 text-fg-2">
          {t('openSum', { count: formatCount(underWay.data.count), amount: displayUsd(underWay.data.held, 4) })}
          {underWay.data.count > open.length ? ` ${t('openShown', { count: formatCount(open.length) })}` : ''}
        </p>
      ) : null}
      {failed.error ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : rows === undefined ? (
        <div className="card">
          <SkeletonRows rows={8} />
        </div>
      ) : rows.length || open.length ? (
        <RequestList rows={rows} open={open} ahead={underWay.ahead} chosen={chosen} onShow={show} />
      ) : (
        <div className="card">
          <EmptyState
            title={t(hasMore ? 'callsSearching' : filters.isOpenOnly ? 'openEmpty' : 'requestsEmpty')}
            body={hasMore || filters.isOpenOnly ? undefined : t('requestsEmptyHint')}
          />
        </div>
      )}
      <SearchProgress at={hasMore ? calls.data?.pages.at(-1)?.searchedTo : null} />
      {onlyCounted > 0 && (filters.state === undefined || filters.state === 'refused') && !filters.isOpenOnly && !hasMore && rows ? (
        <p className="text-center text-13 text-fg-3">{t('onlyCounted', { count: formatCount(onlyCounted) })}</p>
      ) : null}
      {rows?.length || hasMore ? <ListEnd hasMore={hasMore} loading={calls.isFetchingNextPage} onMore={() => void calls.fetchNextPage()} /> : null}
    </div>
  )
}

/** Replaces the count of open calls by the number shown: calls that ended since then are counted on the next refresh. */
function addOpenCount(counts: ReplyOf<(typeof requestsContract)['requestCounts']>, count: number | undefined) {
  return count === undefined ? counts : { ...counts, in_progress: count, all: counts.all - counts.in_progress + count }
}

function SearchProgress({ at }: { readonly at: string | null | undefined }) {
  const t = useTexts(gatewayTexts)
  return at ? <p className="num text-center text-13 text-fg-3">{t('callsSearched', { time: displayTime(at) })}</p> : null
}

/** J and K select the next and previous row, C copies the shown request id; disabled while the user types. */
function useRowKeys(rows: readonly Pick<RequestRow, 'id' | 'requestId'>[], chosen: string, show: (id: string) => void): void {
  const t = useTexts(gatewayTexts)
  const press = useCallback(
    (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      // single keys can be switched off, for users of speech input
      if (
        readStored('shortcuts') === 'off' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        target.closest('input, textarea, select, [role="menu"], [role="dialog"]')
      )
        return
      const at = rows.findIndex((row) => row.id === chosen)
      const key = event.key.toLowerCase()
      const next = key === 'j' ? rows[at + 1] : key === 'k' ? rows[at < 0 ? 0 : at - 1] : undefined
      if (next) {
        event.preventDefault()
        show(next.id)
        document.querySelector<HTMLElement>(`[data-call="${CSS.escape(next.id)}"]`)?.focus()
      } else if (key === 'c' && at >= 0) {
        const { requestId } = rows[at]!
        void copyText(requestId).then((done) => (done ? toast.success(t('requestIdCopied', { id: requestId })) : toast.warning(requestId)))
      }
    },
    [rows, chosen, show, t],
  )
  useEffect(() => {
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [press])
}
