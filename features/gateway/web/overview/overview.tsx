import { lazy, Suspense, useState, useEffect } from 'react'
import type { ComponentType } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { NoteSkeleton } from '#ui/figures/stat.tsx'
import { FundsFigures, RecentMovements, useFundsSummary } from '#features/payments/web/door.ts'
import { gatewayTexts } from '../../texts.ts'
import { KeysBrief } from '../keys/keys-brief.tsx'
import { useGatewayBalance, useSummary, useAccount } from '../queries.ts'
import { SpendChartFrame } from './spend-chart-frame.tsx'
import { Check } from 'lucide-react'
import type { BalanceInfo } from '#features/wallet/contract.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { Button } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { buildCurlSnippet, KEY_PLACEHOLDER } from '../keys/snippets.ts'
import type { UsageSummary } from './spend-chart.tsx'
import { useKeyDialogs } from '../keys/key-dialogs.ts'

interface ChecklistProps {
  readonly balance: BalanceInfo | undefined
  readonly summary: UsageSummary | undefined
  readonly onWait: (waiting: boolean) => void
}

const FIRST_RECHARGE = parseUsd('5')
const HIDDEN_STORAGE_KEY = 'api.steps'

/** Four first steps, completed from real data. The last one updates when the first call arrives. */
function Checklist({ balance, summary, onWait }: ChecklistProps) {
  const t = useTexts(gatewayTexts)
  const account = useAccount()
  const [hidden, setHidden] = useState(() => readStored(HIDDEN_STORAGE_KEY) === 'yes')
  const [arrived, setArrived] = useState(false)
  const hasCall = summary?.hasCall ?? false
  const waits = summary !== undefined && summary.hasKey && !hasCall
  useEffect(() => {
    onWait(waits)
    if (waits) return () => setArrived(true)
    return undefined
  }, [waits, onWait])
  if (!balance || !summary || !account.data) return null
  const steps = buildSteps(balance, summary, account.data.emailVerifyStatus === 1)
  const left = steps.filter((step) => !step.done).length
  const toggle = (hide: boolean) => {
    setHidden(hide)
    storeValue(HIDDEN_STORAGE_KEY, hide ? 'yes' : 'no')
  }
  const fresh = arrived && hasCall
  if (hidden || (left === 0 && !fresh)) {
    return left === 0 ? null : (
      <p className="text-13 text-fg-2">
        {t('checklistTitle')} · {t('checklistLeft', { left })}{' '}
        <Button size="sm" variant="ghost" onClick={() => toggle(false)}>
          {t('checklistShow')}
        </Button>
      </p>
    )
  }
  const current = steps.findIndex((step) => !step.done)
  return (
    <section className="card p-5 mobile:p-4" aria-labelledby="steps-title">
      <div className="flex items-center justify-between gap-3">
        <h2 id="steps-title" className="text-16 font-semibold">
          {t('checklistTitle')}
          {left ? <span className="num ml-2 text-13 font-normal text-fg-3">{t('checklistLeft', { left })}</span> : null}
        </h2>
        <Button size="sm" variant="ghost" onClick={() => toggle(true)}>
          {t('checklistHide')}
        </Button>
      </div>
      <ol className="mt-3 grid gap-px overflow-hidden rounded-card border border-line bg-line desktop:grid-cols-4">
        {steps.map((step, index) => (
          <StepCell key={step.key} step={step} number={index + 1} isCurrent={index === current} />
        ))}
      </ol>
      {fresh ? (
        <div className="mt-6 mb-2 pl-2">
          <Stamp fresh text={t('stepCallDone')} />
        </div>
      ) : null}
      {waits ? (
        <CodeBlock
          className="mt-4"
          label={t('stepCall')}
          snippets={[{ id: 'curl', label: 'curl', code: buildCurlSnippet(location.origin, KEY_PLACEHOLDER) }]}
        />
      ) : null}
    </section>
  )
}

interface Step {
  readonly key: string
  readonly done: boolean
  readonly title: 'stepEmail' | 'stepRecharge' | 'stepKey' | 'stepCall'
  readonly note: 'stepEmailNote' | 'stepRechargeNote' | 'stepKeyNote' | 'stepCallNote' | 'stepCallDone'
  readonly action?: { readonly text: 'recharge' | 'createKey'; readonly run: () => void }
}

function buildSteps(balance: BalanceInfo, { hasKey, hasCall }: UsageSummary, isVerified: boolean): readonly Step[] {
  return [
    { key: 'email', done: isVerified, title: 'stepEmail', note: 'stepEmailNote' },
    {
      key: 'recharge',
      done: parseUsd(balance.totalRechargeAmount) >= FIRST_RECHARGE,
      title: 'stepRecharge',
      note: 'stepRechargeNote',
      action: { text: 'recharge', run: () => openDialog('recharge') },
    },
    {
      key: 'key',
      done: hasKey || hasCall,
      title: 'stepKey',
      note: 'stepKeyNote',
      action: { text: 'createKey', run: () => useKeyDialogs.getState().openCreate() },
    },
    { key: 'call', done: hasCall, title: 'stepCall', note: hasCall ? 'stepCallDone' : 'stepCallNote' },
  ]
}

function StepCell({ step, number, isCurrent }: { readonly step: Step; readonly number: number; readonly isCurrent: boolean }) {
  const t = useTexts(gatewayTexts)
  return (
    <li className="flex items-start gap-3 bg-surface p-4" aria-current={isCurrent ? 'step' : undefined}>
      <span
        className={`num mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full text-12 font-semibold ${step.done ? 'bg-brand text-on-brand' : isCurrent ? 'bg-fg text-bg' : 'bg-sunken text-fg-2'}`}
      >
        {step.done ? <Check size={12} strokeWidth={2.5} aria-hidden="true" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-14 font-semibold">
          {t(step.title)}
          {step.done ? <span className="sr-only"> {t('stepDone')}</span> : null}
        </p>
        <p className="text-13 text-fg-3">{t(step.note)}</p>
        {!step.done && isCurrent && step.action ? (
          <div className="mt-2">
            <Button size="sm" onClick={step.action.run}>
              {t(step.action.text)}
            </Button>
          </div>
        ) : null}
      </div>
    </li>
  )
}

/** Lazy, because its figures arrive later than the page. */
const SpendChart = lazy(() => import('./spend-chart.tsx').then((m) => ({ default: m.SpendChart })))
/** Lazy, because it is at the end of the page. */
const AlertsCard = lazy(() => import('./alerts-card.tsx').then((m) => ({ default: m.AlertsCard })))

interface OverviewProps {
  readonly titleId: string
  /** Parts of other features; the shell passes them in. */
  readonly autoRecharge?: ComponentType | undefined
  readonly cards?: ComponentType | undefined
}

/** The first page of the console: balance, pace, keys, first steps. */
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
