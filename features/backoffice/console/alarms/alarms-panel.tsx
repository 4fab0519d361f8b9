import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck, TriangleAlert } from 'lucide-react'
import { useState, Fragment } from 'react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { alarmsApi, DELIVERY_TONES, SEVERITY_TONES, useAlarmName } from './api.ts'
import type { Alarm } from './api.ts'
import { panelTexts } from './texts.ts'
import { ALARMS_SEVERITY_TEXT } from './state-texts.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { parseRunbook } from '../../runbook-blocks.ts'
import type { RunbookBlock } from '../../runbook-blocks.ts'

/** Each runbook is its own chunk, loaded when its alarm is expanded. */
const pages = import.meta.glob<string>('../../../../docs/runbooks/{*,*/*}.md', { query: '?raw', import: 'default' })

/** Runbook of an alarm: the page of docs/runbooks in the operator's language. */
function Runbook({ name }: { readonly name: string }) {
  const t = useTexts(panelTexts)
  const lang = useLang()
  const own = `docs/runbooks/${lang}/${name}.md`
  const path = pages[`../../../../${own}`] ? own : `docs/runbooks/${name}.md`
  const load = pages[`../../../../${path}`]
  const { data, isError } = useQuery({ queryKey: ['runbook', path], queryFn: () => load!(), enabled: load !== undefined, staleTime: Number.POSITIVE_INFINITY })
  return (
    <div role="group" aria-label={t('runbook')} className="rounded-control bg-sunken px-4 py-3 text-13">
      <p className="mb-1 flex items-center gap-2 text-12 text-fg-3">
        <span className="num">{path}</span>
        <CopyButton text={path} iconOnly />
      </p>
      {data === undefined ? isError || !load ? <p className="text-fg-2">{t('runbookMissing')}</p> : <SkeletonRows rows={3} /> : <Page text={data} />}
    </div>
  )
}

function Page({ text }: { readonly text: string }) {
  return (
    <div className="grid grid-cols-1 gap-2">
      {parseRunbook(text).map((block, at) => (
        <Part key={at} block={block} />
      ))}
    </div>
  )
}

function Part({ block }: { readonly block: RunbookBlock }) {
  if (block.kind === 'table') return <Table block={block} />
  if ('items' in block) {
    const List = block.kind === 'steps' ? 'ol' : 'ul'
    return (
      <List className={`grid gap-1 pl-5 ${block.kind === 'steps' ? 'list-decimal' : 'list-disc'}`}>
        {block.items.map((item) => (
          <li key={item} className="whitespace-pre-line">
            <Inline text={item} />
          </li>
        ))}
      </List>
    )
  }
  const Text = block.kind === 'heading' ? 'h3' : 'p'
  return (
    <Text className={block.kind === 'heading' ? 'font-semibold' : ''}>
      <Inline text={block.text} />
    </Text>
  )
}

function Table({ block: { head, rows } }: { readonly block: Extract<RunbookBlock, { kind: 'table' }> }) {
  return (
    <table className="w-full text-left align-top text-12 [overflow-wrap:anywhere]">
      <thead>
        <tr className="text-fg-3">
          {head.map((cell) => (
            <th key={cell} scope="col" className="pr-3 pb-1 font-normal">
              <Inline text={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells[0]} className="border-t border-line align-top">
            {cells.map((cell, at) => (
              <td key={at} className="py-1 pr-3">
                <Inline text={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Inline({ text }: { readonly text: string }) {
  const pieces = text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/(^|[\s(])\*{1,2}([^\s*][^*\n]*)\*{1,2}/g, '$1$2')
    .split('`')
  return pieces.map((piece, at) =>
    at % 2 ? (
      <code key={at} className="num rounded-tag bg-surface px-1 text-12 [overflow-wrap:anywhere] whitespace-normal">
        {piece}
      </code>
    ) : (
      <Fragment key={at}>{piece}</Fragment>
    ),
  )
}

const STATE_TEXT = { waiting: 'state_waiting', sent: 'state_sent', failed: 'state_failed' } as const

/** Open alarms, worst first; an expanded alarm shows its runbook, its deliveries and the operator who took it. */
export function AlarmsPanel({ alarms }: { readonly alarms: readonly Alarm[] }) {
  const t = useTexts(panelTexts)
  const [isPast, setPast] = useState(false)
  return (
    <ConsolePanel
      title={t('title')}
      note={
        <span className="flex items-center gap-3">
          {alarms.length ? t('openN', { n: alarms.length }) : null}
          <button type="button" className="link" aria-expanded={isPast} onClick={() => setPast((old) => !old)}>
            {t('past')}
          </button>
        </span>
      }
      className="col-span-2 mobile:col-span-1"
    >
      {alarms.length ? (
        <ul className="divide-y divide-line">
          {alarms.map((alarm) => (
            <AlarmLine key={alarm.id} alarm={alarm} />
          ))}
        </ul>
      ) : (
        <p className="flex items-center gap-2 text-13 text-success">
          <CircleCheck size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('none')}
        </p>
      )}
      {isPast ? <PastAlarms /> : null}
    </ConsolePanel>
  )
}

function PastAlarms() {
  const t = useTexts(panelTexts)
  const query = useInfiniteQuery({
    queryKey: ['alarms', 'over'],
    queryFn: ({ pageParam, signal }) => alarmsApi.alarms({ view: 'over', limit: 20, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <section aria-label={t('past')} className="mt-3 border-t border-line pt-2">
      <h3 className="text-13 font-semibold">{t('past')}</h3>
      {query.isPending ? <SkeletonRows rows={3} /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && !rows.length ? <p className="text-13 text-fg-3">{t('pastNone')}</p> : null}
      <ul className="divide-y divide-line">
        {rows.map((alarm) => (
          <AlarmLine key={alarm.id} alarm={alarm} />
        ))}
      </ul>
      {rows.length ? <ListEnd hasMore={query.hasNextPage} loading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} /> : null}
    </section>
  )
}

function AlarmLine({ alarm }: { readonly alarm: Alarm }) {
  const t = useTexts(panelTexts)
  const nameOf = useOperatorName()
  const called = useAlarmName()
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="py-2 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          className="flex min-w-0 flex-1 items-center gap-2 text-left hover:text-brand-text mobile:min-h-11 mobile:basis-full"
          aria-expanded={isOpen}
          onClick={() => setOpen((old) => !old)}
        >
          <ChevronRight
            size={14}
            strokeWidth={1.75}
            aria-hidden="true"
            className={`shrink-0 text-fg-3 transition-transform motion-reduce:transition-none ${isOpen ? 'rotate-90' : ''}`}
          />
          <TriangleAlert
            size={16}
            strokeWidth={1.75}
            aria-hidden="true"
            className={`shrink-0 ${alarm.closedAt ? 'text-fg-3' : alarm.severity === 'minor' ? 'text-warning' : 'text-danger'}`}
          />
          <span className="min-w-0">
            <strong className="font-semibold">{called(alarm.name)}</strong>
            {alarm.detail ? <span className="num ml-2 text-fg-2 [overflow-wrap:anywhere] whitespace-normal">{alarm.detail}</span> : null}
          </span>
        </button>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-12 text-fg-3 mobile:w-full mobile:pl-6">
          {alarm.times > 1 ? <span className="num">{t('timesN', { n: alarm.times })}</span> : null}
          <span>{alarm.closedAt ? t('closedAt', { at: displayTime(alarm.closedAt) }) : t('since', { at: displayTime(alarm.raisedAt) })}</span>
          <Badge tone={alarm.closedAt ? 'neutral' : SEVERITY_TONES[alarm.severity]}>{t(ALARMS_SEVERITY_TEXT[alarm.severity])}</Badge>
          {alarm.takenBy ? <Badge tone="success">{t('takenBy', { name: nameOf(alarm.takenBy) })}</Badge> : null}
          {!alarm.takenBy && !alarm.closedAt ? (
            <CommandButton name="alarm.take" input={{ alarm: alarm.id }} about={called(alarm.name)} word={t('take')} />
          ) : null}
        </span>
      </div>
      {isOpen ? <AlarmDetails alarm={alarm} /> : null}
    </li>
  )
}

function AlarmDetails({ alarm: { id, name, runbook } }: { readonly alarm: Alarm }) {
  const t = useTexts(panelTexts)
  const read = useQuery({ queryKey: ['alarms', id], queryFn: ({ signal }) => alarmsApi.alarm({ id }, { signal }) })
  const ways = useQuery({ queryKey: ['alarms', 'ways'], queryFn: ({ signal }) => alarmsApi.alarmWays({}, { signal }) })
  const nameOf = (wayId: string) => ways.data?.ways.find((way) => way.id === wayId)?.operatorName ?? wayId
  return (
    <div className="mt-2 grid gap-3 pl-6 mobile:pl-0">
      <p className="num text-12 text-fg-3">{name}</p>
      <Runbook name={runbook} />
      <div>
        <h3 className="mb-1 font-semibold">{t('told')}</h3>
        {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
        {read.isPending ? <SkeletonRows rows={1} /> : null}
        {read.data && !read.data.deliveries.length ? <p className="text-fg-3">{t('toldNobody')}</p> : null}
        <ul className="grid grid-cols-1 gap-1">
          {read.data?.deliveries.map((one) => (
            <li key={one.id} className="flex flex-wrap items-center gap-x-3">
              <span>{t(one.kind === 'closed' ? 'closedTo' : 'raisedTo', { name: nameOf(one.wayId) })}</span>
              <Badge tone={DELIVERY_TONES[one.state]}>{t(STATE_TEXT[one.state])}</Badge>
              {one.problem ? <span className="text-fg-2">{one.problem}</span> : null}
              <Time at={one.at} className="ml-auto text-fg-3" />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
