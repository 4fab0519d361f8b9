import { Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { useAddress } from '../kit/address.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { useConsoleFormatter } from '../kit/format.ts'
import { useHasPermission, pollWhileAttended } from '../kit/use-me.ts'
import { BULK_TONES, bulkApi } from './api.ts'
import type { Bulk } from './api.ts'
import { CampaignSheet } from './campaign-sheet.tsx'
import { bulkTexts } from './texts.ts'
import { COMPENSATION_STATE_TEXT } from './state-texts.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { resolveTextKey } from '#platform/shared/texts.ts'

const ROW_TEXT = { done: 'row_done', waiting: 'row_waiting' } as const

type RowFilter = 'all' | 'waiting' | 'done' | 'refused'

/** Progress of a bulk, the causes of refused rows, and every row with its result. */
function BulkSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(bulkTexts)
  const say = useConsoleFormatter()
  const read = useQuery({ queryKey: ['bulks', id], queryFn: ({ signal }) => bulkApi.bulk({ id }, { signal }), refetchInterval: pollWhileAttended(2_000) })
  const bulk = read.data
  if (read.isError)
    return (
      <SideSheet title={t('title')} onClose={onClose}>
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </SideSheet>
    )
  if (!bulk)
    return (
      <SideSheet title={t('title')} onClose={onClose}>
        <SkeletonRows rows={6} />
      </SideSheet>
    )
  const share = (bulk.done + bulk.refused) / bulk.rows
  return (
    <SideSheet
      title={bulk.kind === bulk.title ? say.command(bulk.kind) : bulk.title}
      tags={<Badge tone={BULK_TONES[bulk.state]}>{t(COMPENSATION_STATE_TEXT[bulk.state])}</Badge>}
      about={bulk.reason}
      onClose={onClose}
      foot={
        <>
          {bulk.state === 'running' ? <CommandButton name="bulk.stop" input={{ bulkId: id }} about={bulk.title} /> : null}
          {bulk.state === 'stopped' ? <CommandButton name="bulk.go-on" input={{ bulkId: id }} about={bulk.title} /> : null}
        </>
      }
    >
      <p className="text-14 font-semibold">{t('tally', { done: bulk.done, refused: bulk.refused, waiting: bulk.waiting })}</p>
      <div
        className="mt-2 h-1.5 overflow-hidden rounded-full bg-line"
        role="progressbar"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={t('progress')}
      >
        <span className="block h-full bg-brand" style={{ width: `${share * 100}%` }} />
      </div>
      {bulk.amount === '0' ? null : <p className="mt-2 text-13 text-fg-2">{t('paid', { amount: bulk.amount })}</p>}
      {bulk.refusals.map(({ why, rows: n }) => (
        <p key={why} className="mt-1 text-13 text-warning">
          {t('refusedFor', { n, why: say.refusal(why) })}
        </p>
      ))}
      <BulkRows bulk={bulk} />
    </SideSheet>
  )
}

/** Every row with its result. */
function BulkRows({ bulk }: { readonly bulk: Bulk }) {
  const t = useTexts(bulkTexts)
  const say = useConsoleFormatter()
  const { id } = bulk
  const [state, setState] = useState<RowFilter>('all')
  const rows = useInfiniteQuery({
    queryKey: ['bulks', id, 'rows', state],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      bulkApi.bulkRows({ id, limit: 100, ...(state === 'all' ? {} : { state }), ...(pageParam === undefined ? {} : { after: pageParam }) }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  return (
    <>
      <Segmented
        className="mt-4 mb-2"
        label={t('rows')}
        value={state}
        onChange={setState}
        items={[
          { value: 'all', label: t('rowsAll'), count: bulk.rows },
          { value: 'done', label: t('colDone'), count: bulk.done },
          { value: 'refused', label: t('colRefused'), count: bulk.refused },
          { value: 'waiting', label: t('colWaiting'), count: bulk.waiting },
        ]}
      />
      <table className="w-full border-collapse text-13 tabular">
        <caption className="sr-only">{t('rows')}</caption>
        <tbody>
          {rows.data?.pages.flatMap((page) =>
            page.rows.map((row) => (
              <tr key={row.position} className="ops-row">
                <td className="num pr-3 text-fg-3">{row.position}</td>
                <td className="num max-w-0 w-full truncate pr-3">{say.subject(row.subject)}</td>
                <td className="pr-3">{row.customer ? <CustomerLink userId={row.customer} /> : null}</td>
                <td className="num pr-3 text-right">{row.amount ? displayUsd(row.amount, 4) : ''}</td>
                <td
                  className={`text-right whitespace-nowrap ${row.state === 'refused' ? 'text-warning' : row.state === 'done' ? 'text-success' : 'text-fg-3'}`}
                >
                  {row.why ? say.refusal(row.why) : t(resolveTextKey(ROW_TEXT, row.state))}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
      {rows.hasNextPage ? (
        <Button variant="ghost" className="mt-2" loading={rows.isFetchingNextPage} onClick={() => void rows.fetchNextPage()}>
          {t('more')}
        </Button>
      ) : null}
    </>
  )
}

const NEW = 'new'

/** Campaigns and bulk commands: counts of done, refused and waiting rows, with a result per row. */
export function CompensationScreen() {
  const t = useTexts(bulkTexts)
  const say = useConsoleFormatter()
  const nameOf = useOperatorName()
  const may = useHasPermission()
  const [, go] = useAddress()
  return (
    <ListScreen<Bulk>
      name="bulks"
      title={t('title')}
      about={t('about')}
      actions={
        may('customers.grant') ? (
          <Button onClick={() => go({ open: NEW })}>
            <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('newCampaign')}
          </Button>
        ) : null
      }
      load={({ after, limit }, signal) => bulkApi.bulks({ limit, ...(after === undefined ? {} : { after }) }, { signal })}
      file="/operator/bulks"
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'title',
          header: t('colTitle'),
          mobile: 'title',
          cell: (row) => <strong className="font-semibold">{row.kind === row.title ? say.command(row.kind) : row.title}</strong>,
          csv: (row) => row.title,
        },
        { key: 'done', header: t('colDone'), align: 'right', cell: (row) => <span className="num">{row.done}</span>, csv: (row) => String(row.done) },
        {
          key: 'refused',
          header: t('colRefused'),
          align: 'right',
          cell: (row) => <span className={`num ${row.refused ? 'text-warning' : 'text-fg-3'}`}>{row.refused}</span>,
          csv: (row) => String(row.refused),
        },
        {
          key: 'waiting',
          header: t('colWaiting'),
          align: 'right',
          cell: (row) => <span className="num text-fg-3">{row.waiting}</span>,
          csv: (row) => String(row.waiting),
        },
        {
          key: 'amount',
          header: t('colAmount'),
          align: 'right',
          cell: (row) => <span className="num">{row.amount === '0' ? '—' : displayUsd(row.amount)}</span>,
          csv: (row) => row.amount,
        },
        { key: 'who', aside: true, header: t('colWho'), cell: (row) => nameOf(row.madeBy), csv: (row) => nameOf(row.madeBy) },
        { key: 'when', aside: true, header: t('colWhen'), align: 'right', cell: (row) => <Time at={row.madeAt} />, csv: (row) => row.madeAt },
        {
          key: 'state',
          header: t('colState'),
          mobile: 'primary',
          cell: (row) => <Badge tone={BULK_TONES[row.state]}>{t(COMPENSATION_STATE_TEXT[row.state])}</Badge>,
          csv: (row) => row.state,
        },
      ]}
      empty={{ title: t('emptyTitle'), body: t('emptyBody') }}
      pollMs={5_000}
      sheet={({ id, close }) => (id === NEW ? <CampaignSheet onClose={close} /> : <BulkSheet key={id} id={id} onClose={close} />)}
    />
  )
}
