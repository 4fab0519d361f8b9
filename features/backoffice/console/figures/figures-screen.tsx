import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { sumUsd, displayUsd } from '#platform/web/money.tsx'
import { BarChart } from '#ui/chart/bar-chart.tsx'
import type { Bar, Series } from '#ui/chart/series.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { systemContract } from '../../contract-system.console.ts'
import { ConsolePage, ConsolePanel } from '../kit/page.tsx'
import { systemApi } from '../system/system-api.ts'
import { systemTexts } from '../system/texts.ts'

type Figures = ReplyOf<(typeof systemContract)['figures']>
type Day = Figures['days'][number]
const SPANS = ['7', '30', '90'] as const
type Span = (typeof SPANS)[number]

/** Charts of the business up to yesterday; each bar links to that day's books. */
export function FiguresScreen() {
  const t = useTexts(systemTexts)
  const [span, setSpan] = useState<Span>('30')
  const read = useQuery({
    queryKey: ['figures', span],
    queryFn: ({ signal }) => systemApi.figures({ days: span }, { signal }),
    placeholderData: (before) => before,
  })
  return (
    <ConsolePage
      title={t('figuresTitle')}
      about={t('figuresAbout')}
      actions={<Segmented label={t('span')} value={span} onChange={setSpan} items={SPANS.map((value) => ({ value, label: t('daysN', { n: value }) }))} />}
    >
      {read.isError && !read.data ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={10} /> : null}
      {read.data ? <Charts figures={read.data} /> : null}
    </ConsolePage>
  )
}

function Charts({ figures: { days, funnel } }: { readonly figures: Figures }) {
  const t = useTexts(systemTexts)
  const navigate = useNavigate()
  const toBooks = (bar: Bar) => void navigate({ to: '/books', search: { open: bar.key } })
  const bars = (pick: (day: Day) => Readonly<Record<string, string>>): Bar[] =>
    days.map((day) => ({ key: day.day, label: day.day.slice(5), values: pick(day) }))
  const money = {
    format: (value: string) => displayUsd(value),
    tick: (value: number) => `$${value}`,
    sum: sumUsd,
    onPick: toBooks,
    pickText: t('toBooks'),
    empty: days.every(({ received, paidBack, charged }) => [received, paidBack, charged].every((sum) => sum === '0')) ? t('figuresNone') : undefined,
  }
  const counts = {
    format: (value: string) => value,
    tick: (value: number) => String(value),
    sum: (values: readonly string[]) => String(values.reduce((all, each) => all + Number(each), 0)),
    isWhole: true,
  }
  const series = (...keys: readonly (readonly [string, string, Series['color']])[]): Series[] => keys.map(([key, label, color]) => ({ key, label, color }))
  return (
    <div className="grid grid-cols-2 gap-4 mobile:grid-cols-1">
      <BarChart
        title={t('moneyIn')}
        aside={displayUsd(sumUsd(days.map(({ received }) => received)))}
        bars={bars((day) => ({ received: day.received }))}
        series={series(['received', t('moneyIn'), 1])}
        {...money}
      />
      <BarChart
        title={t('moneyOut')}
        aside={displayUsd(sumUsd(days.map(({ paidBack }) => paidBack)))}
        bars={bars((day) => ({ paidBack: day.paidBack }))}
        series={series(['paidBack', t('moneyOut'), 4])}
        {...money}
      />
      <BarChart
        title={t('income')}
        aside={t('marginOf', { margin: displayUsd(sumUsd(days.map(({ margin }) => margin))) })}
        bars={bars((day) => ({ charged: day.charged }))}
        series={series(['charged', t('income'), 3])}
        {...money}
      />
      <BarChart
        title={t('customersADay')}
        bars={bars((day) => ({ customers: String(day.customers) }))}
        series={series(['customers', t('customersADay'), 5])}
        {...counts}
      />
      <BarChart
        title={t('callsADay')}
        aside={t('failedShare', { share: formatShare(days) })}
        bars={bars((day) => ({ good: String(day.calls - day.failed), failed: String(day.failed) }))}
        series={series(['good', t('goodCalls'), 1], ['failed', t('failedCalls'), 4])}
        {...counts}
      />
      <Funnel funnel={funnel} />
    </div>
  )
}

function Funnel({ funnel }: { readonly funnel: Figures['funnel'] }) {
  const t = useTexts(systemTexts)
  const steps = [
    [t('signedUp'), funnel.signedUp],
    [t('paidOnce'), funnel.paid],
    [t('calledOnce'), funnel.called],
  ] as const
  return (
    <ConsolePanel title={t('funnel')} note={t('funnelNote')}>
      <ol className="grid grid-cols-1 gap-3">
        {steps.map(([name, n], at) => (
          <li key={name}>
            <p className="flex justify-between text-13">
              <span>{name}</span>
              <span className="num">
                {n}
                {at ? <span className="ml-2 text-fg-3">{funnel.signedUp ? `${Math.round((n / funnel.signedUp) * 100)}%` : '—'}</span> : null}
              </span>
            </p>
            <div className="mt-1 h-2 rounded-full bg-line" aria-hidden="true">
              <span className="block h-full rounded-full bg-brand" style={{ width: `${funnel.signedUp ? (n / funnel.signedUp) * 100 : 0}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </ConsolePanel>
  )
}

function formatShare(days: readonly Day[]): string {
  const [calls, failed] = [days.reduce((all, day) => all + day.calls, 0), days.reduce((all, day) => all + day.failed, 0)]
  return calls ? `${((failed / calls) * 100).toFixed(1)}%` : '—'
}
