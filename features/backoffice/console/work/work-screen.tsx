import { useQuery } from '@tanstack/react-query'
import type { workDeskContract, WorkRow } from '../../contract-desk.console.ts'
import type { SentOf } from '#platform/shared/contract.ts'
import { Users } from 'lucide-react'
import { queryClient } from '#platform/web/calls/query.tsx'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { WORK_KINDS } from '../../contract-desk.console.ts'
import { ListScreen } from '../kit/list/list-screen.tsx'
import type { ListColumn } from '../kit/list/types.ts'
import { AgeBar, RiskBars } from '../kit/marks.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { useSignedInOperator, pollWhileAttended } from '../kit/use-me.ts'
import { workTexts } from './texts.ts'
import { formatWorkAmount, computeWaitedMinutes, workApi } from './work-api.ts'
import { WorkSheet } from './work-sheet.tsx'
import { WORK_KIND_TEXT } from './state-texts.ts'
import { createTextLookup } from '#platform/shared/texts.ts'

const VIEW_TEXT = { second: 'view_second', late: 'view_late', mine: 'view_mine', large: 'view_large' } as const

const FRESH_MS = 10_000

/** Home: everything that needs an operator, earliest due first. */
export function WorkScreen() {
  const t = useTexts(workTexts)
  const counts = useQuery({
    queryKey: ['work-counts'],
    queryFn: ({ signal }) => workApi.workCounts({}, { signal }),
    refetchInterval: pollWhileAttended(FRESH_MS),
  })
  const { total, kinds = {}, views = {}, lastDoneAt } = counts.data ?? {}
  const columns = useWorkColumns()
  return (
    <ListScreen
      name="work"
      title={t('title')}
      note={total === undefined ? undefined : t('note', { n: total, late: views['late'] ?? 0 })}
      load={({ after, limit, kind, view }: SentOf<typeof workDeskContract.work>, signal) => workApi.work({ after, limit, kind, view }, { signal })}
      file="/operator/work"
      rowKey={(row) => row.id}
      columns={columns}
      views={[
        { id: 'all', label: t('view_all'), count: total, set: { view: undefined } },
        ...(['mine', 'second', 'late', 'large'] as const).map((view) => ({ id: view, label: t(VIEW_TEXT[view]), count: views[view], set: { view } })),
      ]}
      chips={WORK_KINDS.filter((kind) => kinds[kind]).map((kind) => ({
        name: 'kind' as const,
        value: kind,
        label: t(WORK_KIND_TEXT[kind]),
        count: kinds[kind],
      }))}
      empty={{ title: t('emptyTitle'), body: lastDoneAt ? t('emptyBody', { at: displayTime(lastDoneAt) }) : t('emptyNever') }}
      dim={(row) => row.taken !== null}
      pollMs={FRESH_MS}
      take={(row) => {
        if (!row.taken)
          void workApi.take({ id: row.id }).then(
            () => queryClient.invalidateQueries({ queryKey: ['work-item', row.id] }),
            () => undefined,
          )
      }}
      sheet={({ id, row, close }) => <WorkSheet key={id} id={id} known={row} onClose={close} />}
    />
  )
}

function useWorkColumns(): readonly ListColumn<WorkRow>[] {
  const t = useTexts(workTexts)
  const { data: me } = useSignedInOperator()
  const now = Date.now()
  return [
    {
      key: 'kind',
      header: t('colKind'),
      width: '76px',
      cell: (row) => <strong className="font-semibold">{t(WORK_KIND_TEXT[row.kind])}</strong>,
      mobile: 'title',
      csv: (row) => t(WORK_KIND_TEXT[row.kind]),
    },
    { key: 'matter', header: t('colMatter'), cell: (row) => <WorkSubject row={row} />, csv: (row) => row.title },
    {
      key: 'amount',
      header: t('colAmount'),
      align: 'right',
      cell: (row) => <span className="num font-semibold">{formatWorkAmount(row)}</span>,
      mobile: 'primary',
      csv: (row) => row.amount ?? '',
    },
    {
      key: 'age',
      header: t('colAge'),
      width: '170px',
      cell: (row) => <AgeBar waited={computeWaitedMinutes(row, now)} target={row.targetMinutes} />,
      csv: (row) => row.since,
    },
    { key: 'risk', header: t('colRisk'), width: '76px', cell: (row) => <RiskBars risk={row.risk} />, csv: (row) => row.risk },
    {
      key: 'who',
      header: t('colWho'),
      width: '84px',
      cell: (row) =>
        row.taken ? row.taken.operatorId === me?.id ? <strong className="font-semibold text-brand-text">{t('you')}</strong> : row.taken.name : '—',
      csv: (row) => row.taken?.name ?? '',
    },
  ]
}

const noteWords = createTextLookup(workTexts, 'note_')

/** Subject of a work item, and why it needs an operator. */
export function WorkSubject({ row }: { readonly row: WorkRow }) {
  const t = useTexts(workTexts)
  const say = useConsoleFormatter()
  const note = noteWords(useLang(), row.note) ?? row.note
  const detail = row.kind === 'approval' || row.kind === 'glass' ? say.command(row.detail) : row.detail
  return (
    <span className="block max-w-[46ch] min-w-0 leading-[18px] mobile:text-right [[data-beside]_&]:max-w-[24ch]">
      <span className={`block truncate ${/^[\w-]+$/.test(row.title) ? 'num' : ''}`}>{row.title}</span>
      <span className="block truncate text-12 text-fg-3">
        {row.waiting ? <Users size={12} strokeWidth={1.75} className="mr-1 -mt-0.5 inline text-warning" aria-label={t('waits')} /> : null}
        {note}
        {detail ? ` · ${detail}` : ''}
      </span>
    </span>
  )
}
