import { useState, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { upgradeTexts } from '../texts.ts'
import { UpgradeStatus } from './upgrade-status.tsx'
import { useUpgradeOrder, useUpgradePlans, useUpgrades, cacheUpgradeOrder, upgradeApi } from './use-upgrade.ts'
import { UPGRADE_HEAD_TEXT, UPGRADE_CAUSE_TEXT } from '../state-texts.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import type { UpgradeRow } from '../contract.ts'
import { UPGRADE_TONES, EMPTY_UPGRADE, resetForService, findFirstIncompleteStep, resolveUpgradeService, resolveUpgradeStep, UPGRADE_STEPS } from './words.ts'
import type { UpgradeInput, FormStep, WizardPosition } from './words.ts'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { confirm } from '#ui/layers/confirm.ts'
import type { UpgradeService } from '../plans.ts'
import { AccountStep, LinkStep, UpgradeNoticeStep, OpenStep } from './account-steps.tsx'
import { PlanStep, ServiceStep } from './choose-steps.tsx'
import type { UpgradeStepProps } from './choose-steps.tsx'
import { UpgradePayStep } from './pay-step.tsx'
import type { UpgradeOffer } from './offer.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useOnceHydrated } from '#platform/web/hydrated.ts'

/** The step in the URL. Each step is a history entry, so Back returns to the one before. */
function useWizardPosition(): readonly [WizardPosition, (place: WizardPosition) => void] {
  const search = useSearch({ strict: false }) as WizardPosition
  const navigate = useNavigate()
  const set = ({ step, service }: WizardPosition) => {
    void navigate({ to: '.', search: (old) => ({ ...old, step, service }), resetScroll: false })
  }
  return [{ step: useOnceHydrated(search.step), service: useOnceHydrated(search.service) }, set]
}

/** The order in the URL; '' for the current one. Opening an order leaves the steps. */
function useSelectedOrder(): readonly [string, (id: string) => void] {
  const { id } = useSearch({ strict: false }) as { readonly id?: unknown }
  const navigate = useNavigate()
  const set = (next: string) => {
    const at = { id: next || undefined, step: undefined, service: undefined }
    void navigate({ to: '.', search: (old) => ({ ...old, ...at }), replace: true, resetScroll: false })
  }
  return [useOnceHydrated(typeof id === 'string' ? id : undefined) ?? '', set]
}

const STEP_TEXT = {
  link: 'step_link',
  open: 'step_open',
  service: 'step_service',
  account: 'step_account',
  pay: 'step_pay',
  plan: 'step_plan',
  notice: 'step_notice',
  result: 'step_result',
  wait: 'step_wait',
} as const

interface WizardProps {
  readonly offer: UpgradeOffer
  readonly draft: UpgradeRow | undefined
  readonly onQueued: (id: string) => void
}

/** Steps 1 to 7. Each step from the plan on is saved on the server, so another browser can continue. */
function Wizard({ offer, draft, onQueued }: WizardProps) {
  const t = useTexts(upgradeTexts)
  const signedIn = useSignedIn()
  // A draft of a plan that is no longer sold starts over
  const begun = draft && offer.plans.some(({ id }) => id === draft.plan) ? draft : EMPTY_UPGRADE
  const [place, setPlace] = useWizardPosition()
  const service = resolveUpgradeService(place, begun)
  const [filled, setFilled] = useState<UpgradeInput>(() => resetForService(service, begun))
  const step = resolveUpgradeStep(place, filled)
  const [order, setOrder] = useState(draft)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const head = useFocusOn(step)
  const at = UPGRADE_STEPS.indexOf(step)
  const goTo = (next: FormStep, to = service) => {
    setProblem('')
    setPlace({ step: next, service: to })
  }
  const keep = async (given: Partial<UpgradeInput>, next: FormStep) => {
    const now = { ...filled, ...given }
    setFilled(now)
    if (!signedIn) return openDialog('auth', { mode: 'login', redirect: `/gpt-upgrade?service=${service}&step=plan` })
    setBusy(true)
    setProblem('')
    try {
      const { plan, seats, account, link } = now
      const kept = await upgradeApi.bindTask({ plan, seats, account, link })
      setOrder(kept)
      cacheUpgradeOrder(kept)
      goTo(next)
    } catch (error) {
      setProblem(isApiError(error) ? error.message : t('readFailed'))
    } finally {
      setBusy(false)
    }
  }
  const forget = async ({ id }: UpgradeRow) => {
    if (!(await confirm({ title: t('startOverTitle'), body: t('startOverBody'), action: t('startOver') }))) return
    try {
      await upgradeApi.upgradeForget({ id })
    } catch (error) {
      return setProblem(isApiError(error) ? error.message : t('readFailed'))
    }
    setOrder(undefined)
    setFilled(EMPTY_UPGRADE)
    cacheUpgradeOrder(null)
    goTo('service')
  }
  const shared = { offer, filled, busy, problem, keep }
  const pick = (next: UpgradeService) => {
    setFilled(resetForService(next, filled))
    goTo('plan', next)
  }
  return (
    <div className="grid items-start gap-x-12 gap-y-6 desktop:grid-cols-[220px_minmax(0,640px)]">
      <StepList at={at} filled={filled} onGo={goTo} />
      <div className="card min-w-0 p-6 mobile:p-5" role="group" aria-labelledby="upgrade-step">
        <p className="text-13 text-fg-3">{t('stepOf', { n: at + 1, all: UPGRADE_STEPS.length })}</p>
        <h2 id="upgrade-step" ref={head} tabIndex={-1} className="mt-0.5 mb-4 text-18 font-bold outline-none">
          {t(STEP_TEXT[step])}
        </h2>
        <StepForm {...shared} step={step} service={service} order={order} onService={pick} onGo={goTo} onQueued={onQueued} />
        <div className="mt-3 -ml-3 flex flex-wrap justify-between gap-x-4">
          {at > 0 ? (
            <Button variant="ghost" size="sm" onClick={() => goTo(UPGRADE_STEPS[at - 1] as FormStep)}>
              {t('stepBack')}
            </Button>
          ) : null}
          {order ? (
            <Button variant="ghost" size="sm" className="-mr-3" onClick={() => void forget(order)}>
              {t('startOver')}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  )
}

interface StepFormProps extends UpgradeStepProps {
  readonly step: FormStep
  readonly service: UpgradeService
  readonly order: UpgradeRow | undefined
  readonly onService: (service: UpgradeService) => void
  readonly onGo: (step: FormStep) => void
  readonly onQueued: (id: string) => void
}

/** The current step's form. */
function StepForm({ step, service, order, onService, onGo, onQueued, ...shared }: StepFormProps) {
  const { offer } = shared
  if (step === 'service') return <ServiceStep offer={offer} value={service} onChoose={onService} />
  if (step === 'plan') return <PlanStep {...shared} rows={offer.plans.filter((row) => row.service === service)} />
  if (step === 'notice') return <UpgradeNoticeStep offer={offer} onNext={() => onGo('account')} />
  if (step === 'account') return <AccountStep {...shared} />
  if (step === 'open') return <OpenStep service={service} onNext={() => onGo('link')} />
  if (step === 'link') return <LinkStep {...shared} hosts={offer.hosts[service] ?? []} />
  return order ? <UpgradePayStep order={order} onQueued={onQueued} /> : null
}

/** List of the steps; completed ones are links. Phones show a row of marks. */
function StepList({ at, filled, onGo }: { readonly at: number; readonly filled: UpgradeInput; readonly onGo: (step: FormStep) => void }) {
  const t = useTexts(upgradeTexts)
  const most = Math.max(at, UPGRADE_STEPS.indexOf(findFirstIncompleteStep(filled)))
  return (
    <ol aria-label={t('steps')} className="mobile:flex mobile:gap-1 desktop:sticky desktop:top-24">
      {UPGRADE_STEPS.map((name, n) => {
        const look = n === at ? 'font-semibold text-fg' : n < at ? 'text-fg-2' : 'text-fg-3'
        const mark = n === at ? 'border-brand bg-brand text-on-brand' : n < at ? 'border-brand text-brand-text' : 'border-line'
        const body: ReactNode = (
          <>
            <span
              aria-hidden="true"
              className={`num inline-flex size-6 shrink-0 items-center justify-center rounded-full border text-12 mobile:hidden ${mark}`}
            >
              {n + 1}
            </span>
            <span className={`hidden h-1 w-full rounded-full mobile:block ${n <= at ? 'bg-brand' : 'bg-line'}`} aria-hidden="true" />
            <span className="mobile:sr-only">{t(STEP_TEXT[name])}</span>
          </>
        )
        const go = n !== at && n <= most && name !== 'wait' && name !== 'result'
        return (
          <li key={name} aria-current={n === at ? 'step' : undefined} className={`text-14 mobile:flex-1 ${look}`}>
            {go ? (
              <button
                type="button"
                className="flex w-full items-center gap-3 rounded-control py-1.5 text-left hover:text-fg mobile:py-3"
                onClick={() => onGo(name)}
              >
                {body}
              </button>
            ) : (
              <span className="flex items-center gap-3 py-1.5 mobile:py-3">{body}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Focuses a step's heading when the step changes, but not on page load, for screen readers. */
function useFocusOn(step: FormStep) {
  const head = useRef<HTMLHeadingElement>(null)
  const was = useRef(step)
  useEffect(() => {
    if (was.current !== step) head.current?.focus()
    was.current = step
  }, [step])
  return head
}

const STATE_TEXT = {
  failed: 'state_failed',
  draft: 'state_draft',
  done: 'state_done',
  placed: 'state_placed',
  queued: 'state_queued',
  captcha: 'state_captcha',
  link_expired: 'state_link_expired',
} as const

/** All upgrade orders; renders nothing before the first. */
function UpgradeRecords({ shown, onOpen }: { readonly shown: string | undefined; readonly onOpen: (id: string) => void }) {
  const t = useTexts(upgradeTexts)
  const rows = useUpgrades(true).data ?? []
  if (!rows.length) return null
  const columns: readonly Column<UpgradeRow>[] = [
    {
      key: 'time',
      header: t('col_upTime'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.queuedTime ?? '').slice(5)}</span>,
    },
    { key: 'plan', header: t('col_upPlan'), mobile: 'title', cell: (row) => row.planName },
    { key: 'account', header: t('account'), cell: (row) => <span className="num text-13 whitespace-normal [overflow-wrap:anywhere]">{row.account}</span> },
    {
      key: 'state',
      header: t('col_upState'),
      mobile: 'primary',
      cell: (row) => <Badge tone={UPGRADE_TONES[row.state]}>{row.cause ? t(UPGRADE_CAUSE_TEXT[row.cause]) : t(STATE_TEXT[row.state])}</Badge>,
    },
    { key: 'taken', header: t('taken'), align: 'right', cell: (row) => <span className="num">{displayUsd(row.taken)}</span> },
    {
      key: 'open',
      header: t('col_upOpen'),
      align: 'right',
      cell: (row) =>
        row.id === shown ? (
          <span className="text-13 text-fg-3">{t('shownNow')}</span>
        ) : (
          <Button size="sm" variant="ghost" aria-label={`${t('look')} ${row.ticket}`} onClick={() => onOpen(row.id)}>
            {t('look')}
          </Button>
        ),
    },
  ]
  return (
    <section aria-label={t('records')} className="mt-10 min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('records')}</h2>
      <DataTable caption={t('records')} columns={columns} rows={rows} rowKey={(row) => row.id} />
    </section>
  )
}

/** /gpt-upgrade: seven steps of the form, then the queue and the outcome. Visitors see the offer. */
export function UpgradePage() {
  const t = useTexts(upgradeTexts)
  useTitle(t('upTitle'))
  const signedIn = useSignedIn()
  const [asked, setAsked] = useSelectedOrder()
  const [isNew, setNew] = useState(false)
  const plans = useUpgradePlans()
  const read = useUpgradeOrder(asked, signedIn)
  const order = read.data ?? undefined
  const isQueued = order !== undefined && order.state !== 'draft' && !isNew
  const again = (id = '') => {
    setAsked(id)
    setNew(id === '')
  }
  if (plans.isError && !plans.data) return <ErrorState error={plans.error} onRetry={() => void plans.refetch()} />
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  return (
    <section aria-labelledby="upgrade-title">
      <h1 id="upgrade-title" className="text-20 font-bold">
        {isQueued && order.state !== 'draft' ? t(UPGRADE_HEAD_TEXT[order.state], { plan: order.planName }) : t('upTitle')}
      </h1>
      {isQueued ? null : <p className="mt-1 max-w-[44em] text-14 text-fg-2">{t('lead')}</p>}
      {plans.data && plans.data.paused !== null ? (
        <AlertBox kind="warning" title={t('pausedTitle')} className="mt-4">
          {plans.data.paused || t('pausedAbout')}
        </AlertBox>
      ) : null}
      <div className="mt-6">
        {!plans.data || (signedIn && read.isPending) ? (
          <Skeleton className="h-96" />
        ) : isQueued ? (
          <UpgradeStatus order={order} limits={plans.data.limits} onNew={() => again()} />
        ) : (
          <Wizard key={isNew ? 'again' : 'first'} offer={plans.data} draft={order?.state === 'draft' ? order : undefined} onQueued={again} />
        )}
      </div>
      {signedIn ? <UpgradeRecords shown={isQueued ? order.id : undefined} onOpen={again} /> : null}
    </section>
  )
}
