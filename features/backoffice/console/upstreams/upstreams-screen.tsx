import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { ConsolePage } from '../kit/page.tsx'
import { pollWhileAttended } from '../kit/use-me.ts'
import { modelTexts } from '../prices/texts.ts'
import { modelsApi } from '../prices/use-draft.ts'
import { UpstreamKeyLine, UpstreamTests } from './key-and-tests.tsx'
import type { UpstreamDetail } from './types.ts'

/** Dry run: routes the last hour's calls as if the upstream were in the given state. Read-only. */
function UpstreamDryRun({ upstreamId, state }: { readonly upstreamId: string; readonly state: 'draining' | 'off' }) {
  const t = useTexts(modelTexts)
  const read = useQuery({ queryKey: ['upstreams', 'dry', upstreamId, state], queryFn: ({ signal }) => modelsApi.dryRun({ upstreamId, state }, { signal }) })
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return <SkeletonRows rows={2} />
  const { calls, unserved, rows } = read.data
  return (
    <div className="border-b border-line bg-sunken px-4 py-3">
      <p className={`text-13 font-semibold ${unserved ? 'text-danger' : ''}`}>
        {!calls ? t('dryNone') : unserved ? t('dryUnserved', { n: unserved, calls }) : t('dryAll', { calls })}
      </p>
      {rows.length ? (
        <table className="mt-2 text-13 tabular">
          <caption className="sr-only">{t('dryRun')}</caption>
          <tbody>
            {rows.map(({ model, upstream, before, after }) => (
              <tr key={`${model} ${upstream}`} className={before === after ? 'text-fg-3' : ''}>
                <th scope="row" className="num pr-6 text-left font-normal">
                  {model}
                </th>
                <td className="num pr-6">{upstream}</td>
                <td className="num pr-2 text-right">{before}</td>
                <td className="pr-2 text-fg-3">→</td>
                <td className={`num text-right ${before === after ? '' : 'font-semibold'}`}>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </div>
  )
}

const STATE_TEXT = { active: 'state_active', off: 'state_off', draining: 'state_draining' } as const

const POLL_MS = 5_000
const TONES: Readonly<Record<UpstreamDetail['state'], Tone>> = { active: 'success', draining: 'warning', off: 'neutral' }

/** Upstreams: statistics of the last hour, calls in progress, and a dry run of draining. */
export function UpstreamsScreen() {
  const t = useTexts(modelTexts)
  const read = useQuery({ queryKey: ['upstreams'], queryFn: ({ signal }) => modelsApi.upstreams({}, { signal }), refetchInterval: pollWhileAttended(POLL_MS) })
  return (
    <ConsolePage
      title={t('upstreamsTitle')}
      note={read.data ? t('upstreamsN', { n: read.data.upstreams.length }) : null}
      about={t('upstreamsAbout')}
      actions={
        <>
          {read.data ? (
            <CommandButton name="route.cheapest" input={{ on: !read.data.cheapestFirst }} word={t(read.data.cheapestFirst ? 'cheapestOff' : 'cheapestOn')} />
          ) : null}
          <CommandButton name="upstream.change" word={t('addUpstream')} />
        </>
      }
    >
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={8} /> : null}
      {read.data && !read.data.upstreams.length ? <EmptyState title={t('upstreamsNone')} body={t('upstreamsNoneBody')} /> : null}
      <div className="grid grid-cols-1 gap-4">
        {read.data?.upstreams.map((one) => (
          <UpstreamCard key={one.id} upstream={one} />
        ))}
      </div>
    </ConsolePage>
  )
}

function UpstreamCard({ upstream }: { readonly upstream: UpstreamDetail }) {
  const t = useTexts(modelTexts)
  const [tries, setTries] = useState<'draining' | 'off'>()
  const { id, state, hour } = upstream
  const calls = hour.reduce((all, { calls: n }) => all + n, 0)
  const failed = hour.reduce((all, { failed: n }) => all + n, 0)
  return (
    <section aria-label={id} className="card overflow-hidden">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <h2 className="num text-14 font-semibold">{id}</h2>
        <Badge tone={TONES[state]}>{t(STATE_TEXT[state])}</Badge>
        {upstream.fromEnvironment ? <Badge>{t('fromEnvironment')}</Badge> : null}
        <span className="num min-w-0 truncate text-12 text-fg-3">{upstream.baseUrl}</span>
        <UpstreamActions upstream={upstream} tries={tries} setTries={setTries} />
      </header>
      <dl className="grid grid-cols-4 gap-px border-y border-line bg-line mobile:grid-cols-2">
        {(
          [
            ['underWay', String(upstream.openCalls), ''],
            ['callsHour', String(calls), ''],
            ['failedHour', calls ? `${((failed / calls) * 100).toFixed(1)}%` : '—', failed / Math.max(1, calls) > 0.05 ? 'text-danger' : ''],
            [
              'limits',
              upstream.concurrent === null && upstream.perMinute === null ? t('noLimit') : `${upstream.concurrent ?? '∞'} · ${upstream.perMinute ?? '∞'}/min`,
              '',
            ],
          ] as const
        ).map(([key, value, tone]) => (
          <div key={key} className="bg-surface px-4 py-2">
            <dt className="text-12 text-fg-3">{t(key)}</dt>
            <dd className={`num text-16 font-semibold ${tone}`}>{value}</dd>
          </div>
        ))}
      </dl>
      <UpstreamKeyLine upstream={upstream} />
      <UpstreamTests tests={upstream.tests} />
      {state === 'draining' ? (
        <p className="px-4 pt-3 text-13 text-warning">{upstream.openCalls ? t('drainingWith', { n: upstream.openCalls }) : t('drained')}</p>
      ) : null}
      {tries ? <UpstreamDryRun upstreamId={id} state={tries} /> : null}
      {upstream.routes.length || hour.length ? <Routes upstream={upstream} /> : null}
    </section>
  )
}

interface UpstreamActionsProps {
  readonly upstream: UpstreamDetail
  readonly tries: 'draining' | 'off' | undefined
  readonly setTries: (tries: 'draining' | undefined) => void
}

/** Commands for an upstream: dry run, drain, activate, turn off. */
function UpstreamActions({ upstream: { id, state, fromEnvironment }, tries, setTries }: UpstreamActionsProps) {
  const t = useTexts(modelTexts)
  return (
    <span className="ml-auto flex flex-wrap gap-2">
      {fromEnvironment ? null : (
        <>
          {state === 'active' ? (
            <Button variant="ghost" aria-expanded={tries === 'draining'} onClick={() => setTries(tries ? undefined : 'draining')}>
              {t('dryRun')}
            </Button>
          ) : null}
          {state === 'active' ? null : (
            <CommandButton
              name="upstream.state"
              reasonCode="maintenance"
              input={{ upstreamId: id, state: 'active' }}
              about={id}
              word={t('activate')}
              label={() => `${t('activate')} ${id}`}
            />
          )}
          {state === 'active' ? (
            <CommandButton
              name="upstream.state"
              reasonCode="maintenance"
              input={{ upstreamId: id, state: 'draining' }}
              about={id}
              word={t('drain')}
              label={() => `${t('drain')} ${id}`}
            />
          ) : null}
          {state === 'off' ? null : (
            <CommandButton
              name="upstream.state"
              reasonCode="maintenance"
              input={{ upstreamId: id, state: 'off' }}
              about={id}
              word={t('turnOff')}
              label={() => `${t('turnOff')} ${id}`}
              danger
              warning={t('turnOffNote')}
            />
          )}
        </>
      )}
    </span>
  )
}

function Routes({ upstream: { id, routes, hour } }: { readonly upstream: UpstreamDetail }) {
  const t = useTexts(modelTexts)
  const models = [...new Set([...routes.map(({ model }) => model), ...hour.map(({ model }) => model)])]
  return (
    <div className="overflow-x-auto" tabIndex={0} role="group" aria-label={t('routesOf', { id })}>
      <table className="w-full border-collapse text-13 tabular">
        <caption className="sr-only">{t('routesOf', { id })}</caption>
        <thead className="text-12 text-fg-3">
          <tr>
            {(['colModel', 'colPriority', 'colWeight', 'colCost', 'colCalls', 'colFailed', 'colFirstByte', 'colAct'] as const).map((key, at) => (
              <th
                key={key}
                scope="col"
                className={`h-8 px-4 font-medium whitespace-nowrap ${at ? 'text-right' : 'text-left'} ${[1, 3, 6].includes(at) ? 'mobile:hidden' : ''}`}
              >
                {at === 7 ? <span className="sr-only">{t(key)}</span> : t(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => {
            const [route, use] = [routes.find((each) => each.model === model), hour.find((each) => each.model === model)]
            return (
              <tr key={model} className="ops-row">
                <th scope="row" className="num px-4 text-left font-normal">
                  {model}
                  {route && route.upstreamModel !== model ? <span className="text-fg-3"> → {route.upstreamModel}</span> : null}
                </th>
                <td className="num px-4 text-right mobile:hidden">{route?.priority ?? '—'}</td>
                <td className="num px-4 text-right">{route?.weight ?? '—'}</td>
                <td className="num px-4 text-right text-fg-3 mobile:hidden">{route ? `${(route.costBp / 100).toFixed(1)}%` : '—'}</td>
                <td className="num px-4 text-right">{use?.calls ?? 0}</td>
                <td className={`num px-4 text-right ${use?.failed ? 'text-danger' : 'text-fg-3'}`}>{use?.failed ?? 0}</td>
                <td className="num px-4 text-right text-fg-3 mobile:hidden">{use?.firstByteMs ? `${use.firstByteMs} ms` : '—'}</td>
                <td className="px-4 text-right">
                  {route ? (
                    <CommandButton
                      name="route.change"
                      input={{ upstreamId: id, models: [model], ...OMITTED_FIELDS }}
                      about={`${model} · ${id}`}
                      word={t('changeWeight')}
                      variant="ghost"
                    />
                  ) : null}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Fields that this button keeps: its dialog asks only for weight and priority. */
const OMITTED_FIELDS = { upstreamModel: undefined, costBp: undefined, dialects: undefined, firstByteMs: undefined, betweenMs: undefined }
