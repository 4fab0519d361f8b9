import { Search, Undo2 } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd, displayUsd } from '#platform/web/money.tsx'
import { saveBlob } from '#platform/web/save-blob.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { RewardRow } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { REWARD_LIST_FILTERS } from '../words.ts'
import type { RewardListFilter, RewardState } from '../words.ts'
import { fetchAllRewards, useRewards } from './use-invitations.ts'

/** Escapes one cell; a text that a spreadsheet would read as a formula gets a leading quote. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Builds a CSV file, with the byte order mark by which spreadsheets detect UTF-8. */
export function buildCsvBlob(rows: readonly (readonly string[])[]): Blob {
  return new Blob([`\ufeff${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`], { type: 'text/csv;charset=utf-8' })
}

const STATE_TEXT = {
  refused: 'state_refused',
  held: 'state_held',
  available: 'state_available',
  pending: 'state_pending',
  paid: 'state_paid',
  clawed_back: 'state_clawed_back',
} as const
const FILTER_TEXT = { all: 'filter_all', available: 'filter_available', other: 'filter_other', pending: 'filter_pending' } as const
const KIND_TEXT = { second: 'kind_second', direct: 'kind_direct', cashback: 'kind_cashback' } as const
const WHY_TEXT = { held: 'why_held', available: 'why_available', pending: 'why_pending', paid: 'why_paid', clawed_back: 'why_clawed_back' } as const

const TONES: Readonly<Record<RewardState, Tone>> = {
  pending: 'info',
  held: 'warning',
  refused: 'neutral',
  available: 'success',
  paid: 'success',
  clawed_back: 'danger',
}
const ICONS: Readonly<Partial<Record<RewardState, LucideIcon>>> = { held: Search, clawed_back: Undo2 }

/** List of all rewards with state and the relevant date. */
export function InvitationRecords({ reviewDays }: { readonly reviewDays: number }) {
  const t = useTexts(invitationTexts)
  const [filter, setFilter] = useState<RewardListFilter>('all')
  const list = useRewards(filter)
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const counts = list.data?.pages[0]?.counts
  const why = useReasonText(reviewDays)
  const columns: readonly Column<RewardRow>[] = [
    { key: 'time', header: t('col_time'), cell: (row) => <Time at={row.createdTime} className="text-13 whitespace-nowrap text-fg-2" /> },
    { key: 'friend', header: t('col_friend'), mobile: 'title', cell: (row) => <Friend row={row} /> },
    { key: 'base', header: t('col_first'), align: 'right', cell: (row) => <Usd value={row.base} /> },
    { key: 'reward', header: t('col_reward'), align: 'right', mobile: 'primary', cell: (row) => <Amount row={row} /> },
    {
      key: 'state',
      header: t('col_state'),
      cell: (row) => {
        const Icon = ICONS[row.state]
        return (
          <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 mobile:justify-end">
            <Badge tone={TONES[row.state]} icon={Icon ? <Icon size={12} strokeWidth={2} aria-hidden="true" /> : undefined}>
              {t(STATE_TEXT[row.state])}
            </Badge>
            <span className="text-13 text-fg-2">{why(row)}</span>
          </span>
        )
      },
    },
  ]
  const save = useExportFile(filter, reviewDays)
  return (
    <section aria-label={t('records')} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-16 font-bold">{t('records')}</h2>
        <div className="flex max-w-full items-center gap-4">
          <Segmented
            label={t('records')}
            items={REWARD_LIST_FILTERS.map((value) => ({ value, label: t(FILTER_TEXT[value]), ...(counts ? { count: counts[value] } : {}) }))}
            value={filter}
            onChange={setFilter}
          />
          {rows.length ? (
            <button type="button" className="link text-13 mobile:min-h-11" onClick={() => void save()}>
              {t('csv')}
            </button>
          ) : null}
        </div>
      </div>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('records')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            instead={
              list.isPending ? (
                <SkeletonRows />
              ) : rows.length ? undefined : filter === 'all' ? (
                <EmptyState title={t('empty')} body={t('empty_about')} />
              ) : (
                <EmptyState title={t('empty_filter')} />
              )
            }
          />
          {rows.length > 9 || list.hasNextPage ? (
            <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
          ) : null}
        </>
      )}
    </section>
  )
}

/** Exports all rows of a filter as a file. */
function useExportFile(filter: RewardListFilter, reviewDays: number): () => Promise<void> {
  const t = useTexts(invitationTexts)
  const why = useReasonText(reviewDays)
  return async () => {
    const all = await fetchAllRewards(filter)
    const head = [t('col_time'), t('col_friend'), t('csv_kind'), t('csv_order'), t('col_first'), t('col_reward'), t('csv_rate'), t('col_state'), t('csv_note')]
    const lines = all.map((row) => [
      ...[displayTime(row.createdTime), row.invited, t(KIND_TEXT[row.rewardType]), row.orderNo, row.base],
      ...[row.amount, row.rate, t(STATE_TEXT[row.state]), why(row)],
    ])
    saveBlob(buildCsvBlob([head, ...lines]), `invitations-${displayTime(Date.now(), 'day')}.csv`)
  }
}

/** The invitee, and the kind of reward if it is not direct. */
function Friend({ row }: { readonly row: RewardRow }) {
  const t = useTexts(invitationTexts)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="num text-13">{row.invited || t('gone')}</span>
      {row.rewardType === 'direct' ? null : <Badge tone="neutral">{t(KIND_TEXT[row.rewardType])}</Badge>}
    </span>
  )
}

/** Amount of a reward, struck through if refused or clawed back. */
function Amount({ row }: { readonly row: RewardRow }) {
  const text = `+${displayUsd(row.amount)}`
  const isNothing = row.state === 'refused' || row.state === 'clawed_back'
  return isNothing ? <s className="num text-fg-3">{text}</s> : <span className="num font-semibold text-brand-text">{text}</span>
}

function useReasonText(reviewDays: number): (row: RewardRow) => string {
  const t = useTexts(invitationTexts)
  return (row) => {
    const day = displayTime(row.state === 'pending' ? row.availableTime : row.changedTime, 'day').slice(5)
    if (row.state === 'refused') return t(row.reason === 'inviter_cap' || row.reason === 'programme_cap' ? 'why_cap' : 'why_refused')
    return t(WHY_TEXT[row.state], { day, reviewDays: String(reviewDays) })
  }
}
