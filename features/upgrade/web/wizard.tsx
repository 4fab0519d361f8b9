import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import type { UpgradeRow } from '../contract.ts'
import type { UpgradeService } from '../plans.ts'
import { upgradeTexts } from '../texts.ts'
import { AccountStep, LinkStep, UpgradeNoticeStep, OpenStep } from './account-steps.tsx'
import { PlanStep, ServiceStep } from './choose-steps.tsx'
import type { UpgradeStepProps } from './choose-steps.tsx'
import { UpgradePayStep } from './pay-step.tsx'
import type { UpgradeOffer } from './offer.ts'
import { cacheUpgradeOrder, upgradeApi } from './use-upgrade.ts'
import { useWizardPosition } from './use-wizard-position.ts'
import { EMPTY_UPGRADE, resetForService, findFirstIncompleteStep, resolveUpgradeService, resolveUpgradeStep, UPGRADE_STEPS } from './words.ts'
import type { UpgradeInput, FormStep } from './words.ts'

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
export function Wizard({ offer, draft, onQueued }: WizardProps) {
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
