import { lazy, Suspense, useState } from 'react'
import type { ComponentType } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { NoteSkeleton } from '#ui/figures/stat.tsx'
import { FundsFigures, RecentMovements, useFundsSummary } from '#features/payments/web/door.ts'
import { gatewayTexts } from '../../texts.ts'
import { Checklist } from './checklist.tsx'
import { KeysBrief } from '../keys/keys-brief.tsx'
import { useGatewayBalance, useSummary } from '../queries.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'

/** Drawn by its figures, which come later than the page. */
const SpendChart = lazy(() => import('./spend-chart.tsx').then((m) => ({ default: m.SpendChart })))
/** At the end of the page: it comes after what is seen first. */
const AlertsCard = lazy(() => import('./alerts-card.tsx').then((m) => ({ default: m.AlertsCard })))

interface OverviewProps {
  readonly titleId: string
  /** Neighbours' parts; the shell passes them in. */
  readonly autoRecharge?: ComponentType | undefined
  readonly cards?: ComponentType | undefined
}

/** The first page of the console: money, pace, keys, first steps. */
export function GatewayOverview({ titleId, autoRecharge: AutoRecharge, cards: Cards }: OverviewProps) {
  const t = useTexts(gatewayTexts)
  const [waiting, setWaiting] = useState(false)
  const balance = useGatewayBalance()
  const summary = useSummary(waiting)
  const money = useFundsSummary()
  const figures = balance.data
  const use = summary.data
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 id={titleId} className="text-20 font-bold">
        {t('tab_view')}
      </h1>
      {money.error && !money.data ? (
        <ErrorState error={money.error} onRetry={() => void money.refetch()} />
      ) : (
        <FundsFigures summary={money.data} runway={summary.error ? '' : <Runway use={use} />} />
      )}
      <Checklist balance={figures} summary={use} onWait={setWaiting} />
      {summary.error ? (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      ) : (
        <Suspense fallback={<SpendChartFrame />}>
          <SpendChart summary={use} />
        </Suspense>
      )}
      <RecentMovements rows={money.data?.recent} />
      <KeysBrief balance={figures?.balance} />
      {Cards ? (
        <Suspense fallback={<div className="card min-h-[86px]" />}>
          <Cards />
        </Suspense>
      ) : null}
      {AutoRecharge ? (
        <Suspense fallback={<div className="card min-h-24 mobile:min-h-36" />}>
          <AutoRecharge />
        </Suspense>
      ) : null}
      <Suspense fallback={<div className="card min-h-44 mobile:min-h-72" />}>
        <AlertsCard />
      </Suspense>
    </div>
  )
}

/** How long the balance lasts at this pace. */
function Runway({ use }: { readonly use: ReturnType<typeof useSummary>['data'] }) {
  const t = useTexts(gatewayTexts)
  if (use === undefined) return <NoteSkeleton />
  if (use.runwayDays === null) return t('runwayNone')
  if (use.runwayDays < 1) return t('runwayShort')
  return use.runwayDays > 365 ? t('runwayLong') : t('runway', { days: use.runwayDays })
}
