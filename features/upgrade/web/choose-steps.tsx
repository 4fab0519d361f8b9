import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { parseUsd, multiplyNano, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Leader, ReceiptRow } from '#ui/receipt.tsx'
import type { UpgradePlanRow } from '../contract.ts'
import { UPGRADE_SERVICE_NAMES, UPGRADE_SERVICES } from '../plans.ts'
import type { UpgradeService } from '../plans.ts'
import { upgradeTexts } from '../texts.ts'
import { UpgradeProblem } from './problem.tsx'
import type { UpgradeInput, FormStep } from './words.ts'
import type { UpgradeOffer } from './offer.ts'

interface ServiceStepProps {
  readonly offer: UpgradeOffer
  readonly value: UpgradeService
  readonly onChoose: (service: UpgradeService) => void
}

/** Step 1: the service to upgrade. */
export function ServiceStep({ offer, value, onChoose }: ServiceStepProps) {
  const t = useTexts(upgradeTexts)
  const sold = UPGRADE_SERVICES.filter((service) => offer.plans.some((row) => row.service === service))
  return (
    <ul className="border-t-2 border-fg">
      {sold.map((service) => {
        const prices = offer.plans.filter((row) => row.service === service).map(({ price }) => parseUsd(price))
        const from = formatUsd(prices.reduce((one, other) => (other < one ? other : one)))
        return (
          <li key={service} className="border-b border-line">
            <button
              type="button"
              aria-current={service === value ? 'true' : undefined}
              className="flex min-h-14 w-full items-baseline gap-3 px-1 py-4 text-left hover:bg-sunken -outline-offset-2"
              onClick={() => onChoose(service)}
            >
              <span className="text-16 font-semibold">{UPGRADE_SERVICE_NAMES[service]}</span>
              <Leader />
              <span className="num shrink-0 text-14 text-fg-2">{t('fromMonth', { price: displayUsd(from) })}</span>
              <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 self-center text-fg-3" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export interface UpgradeStepProps {
  readonly offer: UpgradeOffer
  readonly filled: UpgradeInput
  readonly busy: boolean
  readonly problem: string
  readonly keep: (given: Partial<UpgradeInput>, next: FormStep) => Promise<void>
}

/** Step 2: the plan. A team also chooses its seats, and sees the total first. */
export function PlanStep({ offer, filled, busy, problem, keep, rows }: UpgradeStepProps & { readonly rows: readonly UpgradePlanRow[] }) {
  const t = useTexts(upgradeTexts)
  const [plan, setPlan] = useState(rows.find(({ id }) => id === filled.plan) ?? rows[0])
  const [typed, setTyped] = useState(String(plan?.team ? Math.max(plan.team, filled.seats) : 1))
  if (!plan) return null
  const seats = plan.team === null ? 1 : Number(typed)
  const most = offer.limits.mostSeats
  const bad = plan.team !== null && !(/^\d{1,3}$/.test(typed) && seats >= plan.team && seats <= most)
  const choose = (next: UpgradePlanRow) => {
    setPlan(next)
    if (next.team !== null && Number(typed) < next.team) setTyped(String(next.team))
  }
  return (
    <form
      className="grid grid-cols-1 gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!bad) void keep({ plan: plan.id, seats }, 'notice')
      }}
    >
      <fieldset>
        <legend className="sr-only">{t('step_plan')}</legend>
        <div className="border-t-2 border-fg">
          {rows.map((row) => (
            <label key={row.id} className="flex min-h-14 cursor-pointer items-baseline gap-3 border-b border-line px-1 py-4 hover:bg-sunken">
              <input type="radio" name="plan" className="size-4 shrink-0 self-center accent-brand" checked={row.id === plan.id} onChange={() => choose(row)} />
              <span className="text-14 font-medium">{row.name}</span>
              <Leader />
              <span className="num shrink-0 text-14">{t(row.team === null ? 'aMonth' : 'aPerson', { price: displayUsd(row.price) })}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {plan.team === null ? null : (
        <div>
          <TextField
            label={t('seats')}
            hint={t('seatsHint', { least: plan.team, most })}
            error={bad ? t('seatsBad', { least: plan.team, most }) : undefined}
            inputMode="numeric"
            className="num"
            maxLength={3}
            value={typed}
            onChange={(event) => setTyped(event.target.value.replace(/\D/g, ''))}
          />
          {bad ? null : <TeamSum plan={plan} seats={seats} />}
        </div>
      )}
      <UpgradeProblem text={problem} />
      <Button type="submit" size="lg" block loading={busy}>
        {t('next')}
      </Button>
    </form>
  )
}

function TeamSum({ plan, seats }: { readonly plan: UpgradePlanRow; readonly seats: number }) {
  const t = useTexts(upgradeTexts)
  const month = multiplyNano(parseUsd(plan.price), seats)
  return (
    <div className="mt-3">
      <ReceiptRow label={t('teamMonth', { n: seats, price: displayUsd(plan.price) })} value={displayUsd(formatUsd(month))} />
      {plan.months === 12 ? (
        <ReceiptRow label={t('teamYear', { months: plan.months })} value={displayUsd(formatUsd(multiplyNano(month, plan.months)))} />
      ) : null}
    </div>
  )
}
