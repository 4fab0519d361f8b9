import { lazy, Suspense, useState } from 'react'
import type { ComponentType } from 'react'
import { shortPlaces } from '#platform/shared/show-money.ts'
import type { Short } from '#platform/shared/show-money.ts'
import { givenOf } from '#features/wallet/contract.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay, usdShort, UsdShort } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { NoteSkeleton, Stat, StatSkeleton } from '#ui/figures/stat.tsx'
import { gatewayTexts } from '../../texts.ts'
import { Checklist } from './checklist.tsx'
import { KeysBrief } from '../keys/keys-brief.tsx'
import { useBalance, useSummary } from '../queries.ts'
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
export function Overview({ titleId, autoRecharge: AutoRecharge, cards: Cards }: OverviewProps) {
  const t = useTexts(gatewayTexts)
  const [waiting, setWaiting] = useState(false)
  const balance = useBalance()
  const summary = useSummary(waiting)
  const figures = balance.data
  const use = summary.data
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 id={titleId} className="text-20 font-bold">
        {t('tab_view')}
      </h1>
      {balance.error ? (
        <ErrorState error={balance.error} onRetry={() => void balance.refetch()} />
      ) : (
        <Money figures={figures} use={use} unheard={summary.error !== null} />
      )}
      <Checklist balance={figures} summary={use} onWait={setWaiting} />
      {summary.error ? (
        <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />
      ) : (
        <Suspense fallback={<SpendChartFrame />}>
          <SpendChart summary={use} />
        </Suspense>
      )}
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

interface MoneyProps {
  readonly figures: ReturnType<typeof useBalance>['data']
  readonly use: ReturnType<typeof useSummary>['data']
  /** The pace of spending did not load. */
  readonly unheard: boolean
}

/** What is left, what came in, what was used. They explain each other, so they are shortened alike. */
function Money({ figures, use, unheard }: MoneyProps) {
  const t = useTexts(gatewayTexts)
  const given = figures && givenOf(figures)
  const places = figures && shortPlaces([figures.balance, figures.totalConsumedAmount, use?.monthAmount ?? '0'], [figures.totalRechargeAmount, given ?? '0'])
  const money = (value: string | undefined, kind: Short) =>
    value === undefined || places === undefined ? <StatSkeleton /> : <UsdShort value={value} kind={kind} places={places} />
  const owes = figures && figures.owed !== '0'
  return (
    <div className="grid gap-4 mobile:grid-cols-2 mobile:gap-3 desktop:grid-cols-[1.25fr_1fr_1fr]">
      <Stat
        className="mobile:col-span-2"
        label={t('balance')}
        value={money(figures?.balance, 'have')}
        note={owes ? <span className="text-danger">{t('balanceOwed', { amount: usdDisplay(figures.owed) })}</span> : unheard ? undefined : <Runway use={use} />}
        action={
          <div className="flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={() => openDialog('withdraw')}>
              {t('withdraw')}
            </Button>
            <Button onClick={() => openDialog('recharge')}>{t('recharge')}</Button>
          </div>
        }
      />
      <Stat
        label={t('totalRecharged')}
        value={money(figures?.totalRechargeAmount, 'have')}
        note={
          given === undefined || given === '0'
            ? undefined
            : given.startsWith('-')
              ? t('totalTaken', { amount: usdDisplay(given.slice(1)) })
              : t('totalGiven', { amount: usdDisplay(given) })
        }
      />
      <Stat
        label={t('totalConsumed')}
        value={money(figures?.totalConsumedAmount, 'spent')}
        note={use ? t('monthConsumed', { amount: usdShort(use.monthAmount, 'spent', places) }) : unheard ? undefined : <NoteSkeleton />}
      />
    </div>
  )
}

/** How long the balance lasts at this pace. */
function Runway({ use }: Pick<MoneyProps, 'use'>) {
  const t = useTexts(gatewayTexts)
  if (use === undefined) return <NoteSkeleton />
  if (use.runwayDays === null) return t('runwayNone')
  if (use.runwayDays < 1) return t('runwayShort')
  return use.runwayDays > 365 ? t('runwayLong') : t('runway', { days: use.runwayDays })
}
