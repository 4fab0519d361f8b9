import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createApi } from '#platform/web/calls/api.ts'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { servicesContract } from '#features/services/contract.ts'
import type { RunningTask } from '#features/services/contract.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import { siteServiceTexts } from '../../service-texts.ts'
import type { OwnedService } from './hub-row.tsx'

const api = createApi({ serviceHub: servicesContract.serviceHub })
const POLL_MS = 10_000
/** Maximum number of tasks: more would push the services off the page. */
const SHOWN = 6
const HOUR = 3600

interface RunningProps {
  /** Keyed by the service's name. */
  readonly onMine: (mine: Readonly<Record<string, OwnedService>>) => void
}

/** The user's live tasks, each with its remaining time and a link. One request covers all of them and the free uses left. */
export function RunningTasks(props: RunningProps) {
  return (
    <QueryProvider>
      <List {...props} />
    </QueryProvider>
  )
}

function List({ onMine }: RunningProps) {
  const t = useTexts(siteServiceTexts)
  const lang = useLang()
  const hub = useQuery({ queryKey: ['services', 'hub', lang], queryFn: ({ signal }) => api.serviceHub({}, { signal }), refetchInterval: POLL_MS })
  const { data } = hub
  useEffect(() => {
    if (!data) return
    const used = new Set(data.running.filter(({ phase }) => phase === 'using').map(({ service }) => service))
    onMine(Object.fromEntries(data.rowList.map(({ name, quota }) => [name, { left: quota.left, isRunning: used.has(name) }])))
  }, [data, onMine])
  if (hub.isError && !data) return <ErrorState error={hub.error} title={t('running_failed')} onRetry={() => void hub.refetch()} />
  if (!data?.running.length) return null
  const more = data.running.length - SHOWN
  return (
    <section aria-labelledby="running" className="mt-8">
      <h2 id="running" className="text-14 font-semibold">
        {t('running')} <span className="num">{data.running.length}</span>
      </h2>
      <ul className="mt-2 grid gap-4 desktop:grid-cols-2 mobile:gap-3">
        {data.running.slice(0, SHOWN).map((task) => (
          <Card key={task.id} task={task} onEnd={() => void hub.refetch()} />
        ))}
      </ul>
      {more > 0 ? <p className="mt-2 text-13 text-fg-3">{t('running_more', { count: more })}</p> : null}
    </section>
  )
}

function Card({ task, onEnd }: { readonly task: RunningTask; readonly onEnd: () => void }) {
  const t = useTexts(siteServiceTexts)
  const end = task.phase === 'using' ? task.expiresTime : task.deadlineTime
  return (
    <li>
      <Link
        to={task.path}
        className="card flex min-h-[60px] flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-14 text-fg no-underline hover:border-control"
      >
        <span className="size-2 shrink-0 rounded-full bg-brand ring-4 ring-brand-soft" aria-hidden="true" />
        <span className="font-semibold">{task.title}</span>
        <span className={`min-w-0 break-words ${task.glance.startsWith('+') ? 'num font-semibold' : ''}`}>{task.glance || task.productName}</span>
        <span className="text-13 text-fg-2">{task.stateName}</span>
        <span className="ml-auto text-16 font-semibold text-brand-text">
          {end === null ? <Since at={task.createdTime} /> : <Left until={Date.parse(end)} onEnd={onEnd} />}
        </span>
        <span className="sr-only">{t('running')}</span>
      </Link>
    </li>
  )
}

/** Start of the wait, for a task without a known end. */
function Since({ at }: { readonly at: string }) {
  const t = useTexts(siteServiceTexts)
  return <span className="text-13 font-normal text-fg-2">{t('since', { time: displayTime(at).slice(11) })}</span>
}

/** Remaining time: a clock for the last hour, days and hours before it. */
function Left({ until, onEnd }: { readonly until: number; readonly onEnd: () => void }) {
  const t = useTexts(siteServiceTexts)
  const seconds = useCountdown(until, onEnd)
  if (seconds <= HOUR)
    return (
      <span className="num" role="timer" aria-live="off">
        {formatClock(seconds)}
      </span>
    )
  const hours = Math.floor(seconds / HOUR)
  return <span className="text-13">{hours < 48 ? t('left_hours', { hours }) : t('left_days', { days: Math.ceil(hours / 24) })}</span>
}
