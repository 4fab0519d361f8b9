import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { systemContract } from '../../contract-system.console.ts'
import { AlarmsPanel } from '../alarms/alarms-panel.tsx'
import { AlarmRoutesPanel } from '../alarms/ways-panel.tsx'
import { ConsolePage, ConsolePanel } from '../kit/page.tsx'
import { pollWhileAttended } from '../kit/use-me.ts'
import { systemApi } from './system-api.ts'
import { systemTexts } from './texts.ts'
import { Link } from '@tanstack/react-router'
import { Spark } from '#ui/figures/spark.tsx'

type Supplies = ReplyOf<(typeof systemContract)['supplies']>
type Source = Supplies['sources'][number]
const BARS = 28

/** Balances at suppliers and channels with their last 14 days, and the expiry of certificates. */
function SuppliesPanels() {
  const t = useTexts(systemTexts)
  const read = useQuery({ queryKey: ['supplies'], queryFn: ({ signal }) => systemApi.supplies({}, { signal }), refetchInterval: pollWhileAttended(60_000) })
  const wait = read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={2} />
  return (
    <>
      <ConsolePanel title={t('balances')} note={t('balancesNote')}>
        {read.data ? <Balances sources={read.data.sources} /> : wait}
      </ConsolePanel>
      <ConsolePanel title={t('certificates')} note={t('certificatesNote')}>
        {read.data ? <Certificates certificates={read.data.certificates} /> : wait}
      </ConsolePanel>
    </>
  )
}

function Balances({ sources }: { readonly sources: readonly Source[] }) {
  const t = useTexts(systemTexts)
  if (!sources.length) return <p className="text-13 text-fg-3">{t('balancesNone')}</p>
  return (
    <>
      <ul className="divide-y divide-line">
        {sources.map((source) => (
          <li key={source.source} className="grid grid-cols-1 gap-1 py-2 text-13">
            {source.balances.map((one) => (
              <BalanceLine key={one.currency} source={source.source} one={one} />
            ))}
            {source.balances.length ? null : <span className="num">{source.source}</span>}
            {source.failingSince ? (
              <p className="flex flex-wrap items-center gap-2 text-12 text-danger">
                <Badge tone="danger">{t('unread')}</Badge>
                {t('unreadSince', { at: displayTime(source.failingSince), problem: source.problem ?? '' })}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
      <Link to="/settings" search={{ open: 'backoffice.balanceFloors' }} className="link mt-2 inline-block text-13">
        {t('editFloors')}
      </Link>
    </>
  )
}

/** Bar chart, newest bar last: each bar is the last point of its period; empty where no balance was known. */
function buildBars(points: Source['balances'][number]['points']): number[] {
  const step = Math.max(1, Math.ceil(points.length / BARS))
  const known = points.filter((_, at) => (points.length - 1 - at) % step === 0).map(({ amount: text }) => Math.max(0, Number(text)))
  return [...Array<number>(Math.max(0, BARS - known.length)).fill(0), ...known]
}

function BalanceLine({ source, one }: { readonly source: string; readonly one: Source['balances'][number] }) {
  const t = useTexts(systemTexts)
  const amount = `${one.currency} ${one.amount}`
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-0 flex-1">
        <span className="num block truncate">{source}</span>
        {one.floor ? <span className="text-12 text-fg-3">{t('floorOf', { floor: one.floor })}</span> : null}
      </span>
      <Spark values={buildBars(one.points)} label={t('pathOf', { source, currency: one.currency, amount: one.amount })} />
      <strong className={`num min-w-28 text-right font-semibold ${one.isLow ? 'text-danger' : ''}`}>{amount}</strong>
      {one.isLow ? <Badge tone="danger">{t('low')}</Badge> : null}
    </div>
  )
}

function Certificates({ certificates }: { readonly certificates: Supplies['certificates'] }) {
  const t = useTexts(systemTexts)
  if (!certificates.length) return <p className="text-13 text-fg-3">{t('certificatesNone')}</p>
  return (
    <ul className="divide-y divide-line">
      {certificates.map(({ name, issuer, expiresAt, days, isSoon, failingSince, problem }) => (
        <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-13">
          <span className="min-w-0 flex-1">
            <span className="num block [overflow-wrap:anywhere] whitespace-normal">{name}</span>
            <span className="text-12 text-fg-3">{issuer}</span>
          </span>
          {expiresAt ? <span className="num text-fg-2">{t('expiresOn', { day: displayTime(expiresAt, 'day') })}</span> : null}
          {days === null ? null : <Badge tone={isSoon ? 'danger' : 'success'}>{t('daysLeft', { n: days })}</Badge>}
          {failingSince ? (
            <span className="basis-full text-12 text-danger">{t('unreadSince', { at: displayTime(failingSince), problem: problem ?? '' })}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

type System = ReplyOf<(typeof systemContract)['system']>
const MB = 1_048_576

/** System status: problems first, each with its runbook. */
export function SystemScreen() {
  const t = useTexts(systemTexts)
  const read = useQuery({ queryKey: ['system'], queryFn: ({ signal }) => systemApi.system({}, { signal }), refetchInterval: pollWhileAttended(5_000) })
  return (
    <ConsolePage title={t('systemTitle')} note={read.data ? t('updated') : null} about={t('systemAbout')}>
      {read.isError && !read.data ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={10} /> : null}
      {read.data ? <Parts system={read.data} /> : null}
    </ConsolePage>
  )
}

function Parts({ system }: { readonly system: System }) {
  const t = useTexts(systemTexts)
  const { database, nodes, migrations, queues, news } = system
  return (
    <div className="grid grid-cols-2 gap-4 mobile:grid-cols-1">
      <AlarmsPanel alarms={system.alarms} />
      <AlarmRoutesPanel />
      <SuppliesPanels />
      <ConsolePanel title={t('nodes')} note={t('nodesN', { n: nodes.length })}>
        <Lines
          empty={t('noNodes')}
          rows={nodes.map(({ node, beatAt, openCalls, isAlive }) => ({
            key: node,
            name: <span className="num block max-w-[24ch] truncate">{node}</span>,
            note: t('openN', { n: openCalls }),
            at: beatAt,
            mark: <Badge tone={isAlive ? 'success' : 'danger'}>{t(isAlive ? 'alive' : 'dead')}</Badge>,
          }))}
        />
      </ConsolePanel>
      <ConsolePanel title={t('database')}>
        <Lines
          rows={[
            { key: 'version', name: 'PostgreSQL', note: database.version },
            { key: 'size', name: t('size'), note: t('megabytes', { n: Math.round(database.bytes / MB) }) },
            { key: 'connections', name: t('connections'), note: `${database.connections} / ${database.most}` },
            { key: 'migrations', name: t('migrations', { n: migrations.applied }), note: migrations.newest },
            { key: 'news', name: t('news'), note: String(news.waiting) },
            { key: 'bulks', name: t('bulks'), note: String(system.bulks) },
          ]}
        />
      </ConsolePanel>
      <ConsolePanel title={t('queues')} note={t('queuesNote')} className="col-span-2 mobile:col-span-1">
        <Lines
          empty={t('queuesEmpty')}
          rows={queues.map((row) => ({
            key: row.name,
            name: <span className="num">{row.name}</span>,
            note: t('queueOf', { waiting: row.waiting, active: row.active, retrying: row.retrying }),
            at: row.oldest,
            mark: row.failed ? <Badge tone="danger">{t('failedN', { n: row.failed })}</Badge> : null,
          }))}
        />
      </ConsolePanel>
      <ConsolePanel title={t('backups')} className="col-span-2 mobile:col-span-1">
        <p className="mb-2 text-13 text-fg-2">{t('backupsNote')}</p>
        <Command text="pg_dump --format=custom --file=mingxi.dump $DATABASE_URL" />
        <Command text="pg_restore --clean --if-exists --dbname=$DATABASE_URL mingxi.dump && npm run wallet:verify" />
      </ConsolePanel>
    </div>
  )
}

interface Line {
  readonly key: string
  readonly name: ReactNode
  readonly note: string
  readonly at?: string | null
  readonly mark?: ReactNode
}

function Lines({ rows, empty }: { readonly rows: readonly Line[]; readonly empty?: string }) {
  if (!rows.length) return <p className="text-13 text-fg-3">{empty}</p>
  return (
    <ul className="divide-y divide-line">
      {rows.map(({ key, name, note, at, mark }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5 text-13">
          <span className="min-w-0 flex-1">{name}</span>
          <span className="num text-fg-2">{note}</span>
          {at ? <Time at={at} show="second" className="text-fg-3" /> : null}
          {mark}
        </li>
      ))}
    </ul>
  )
}

function Command({ text }: { readonly text: string }) {
  return (
    <p className="mt-1 flex items-center gap-2 rounded-control bg-sunken px-3 py-1.5">
      <code className="num min-w-0 flex-1 text-12 [overflow-wrap:anywhere] whitespace-normal">{text}</code>
      <CopyButton text={text} iconOnly />
    </p>
  )
}
