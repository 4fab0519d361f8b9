import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { HISTORY_GROUPS, type HistoryEntry, type HistoryGroup } from '../../contract-history.ts'
import { securityTexts } from '../../texts-security.ts'
import { historyApi } from '../security/api.ts'
import { toHistoryDay, HistoryLine } from './history-line.tsx'

const HIS_GROUP_TEXT = { signIn: 'his_group_signIn', all: 'his_group_all', security: 'his_group_security', access: 'his_group_access' } as const

const PAGE = 20

/** History of the account's security, by day, newest first. */
export function HistorySection() {
  const t = useTexts(securityTexts)
  const [group, setGroup] = useState<HistoryGroup>('all')
  return (
    <>
      <p className="mb-4 text-14 text-fg-2">{t('his_lead')}</p>
      <Segmented
        label={t('his_filter')}
        value={group}
        onChange={setGroup}
        items={HISTORY_GROUPS.map((value) => ({ value, label: t(HIS_GROUP_TEXT[value]) }))}
      />
      <div className="mt-4">
        <HistoryList key={group} group={group} />
      </div>
    </>
  )
}

function HistoryList({ group }: { readonly group: HistoryGroup }) {
  const t = useTexts(securityTexts)
  // the section's heading is the page's first on phones, its second on desktops
  const Heading = useIsMobile() ? 'h2' : 'h3'
  const list = useInfiniteQuery({
    queryKey: ['account', 'history', group],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => historyApi.securityHistory({ group, after: pageParam || undefined, pageSize: PAGE }, { signal }),
    getNextPageParam: (last) => last.next ?? undefined,
    staleTime: 0,
  })
  if (list.isError && !list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data)
    return (
      <div className="card px-5 mobile:px-4">
        <SkeletonRows rows={6} />
      </div>
    )
  const rows = list.data.pages.flatMap((page) => page.rowList)
  if (!rows.length)
    return (
      <div className="card">
        <EmptyState title={t('his_empty')} body={t('his_empty_hint')} />
      </div>
    )
  return (
    <>
      {groupByDay(rows).map(([day, entries]) => (
        <section key={day} aria-labelledby={`history-${day}`} className="mb-5">
          <Heading id={`history-${day}`} className="num mb-2 text-13 font-medium text-fg-2">
            {day}
          </Heading>
          <ul className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
            {entries.map((entry) => (
              <HistoryLine key={entry.id} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
      {list.isFetchNextPageError ? (
        <ErrorState error={list.error} onRetry={() => void list.fetchNextPage()} />
      ) : (
        <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
      )}
    </>
  )
}

function groupByDay(rows: readonly HistoryEntry[]): readonly (readonly [day: string, entries: HistoryEntry[]])[] {
  const days = new Map<string, HistoryEntry[]>()
  for (const row of rows) {
    const day = toHistoryDay(row)
    const entries = days.get(day)
    if (entries) entries.push(row)
    else days.set(day, [row])
  }
  return [...days]
}
