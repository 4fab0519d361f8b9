import type { useTexts } from '#platform/web/i18n.ts'
import type { Tone } from '#ui/badge.tsx'
import type { UpgradeRow } from '../contract.ts'
import { planOf, seatsAllowed, UPGRADES } from '../plans.ts'
import type { UpgradeService } from '../plans.ts'
import { mailProblem } from '../check-input.ts'
import type { upgradeTexts } from '../texts.ts'

export type Say = ReturnType<typeof useTexts<keyof (typeof upgradeTexts)['zh']>>

/** The nine steps; the last two follow after the form. */
export const STEPS = ['service', 'plan', 'notice', 'account', 'open', 'link', 'pay', 'wait', 'result'] as const
export type Step = (typeof STEPS)[number]
export type FormStep = Exclude<Step, 'wait' | 'result'>

export const TONES: Readonly<Record<UpgradeRow['state'], Tone>> = {
  draft: 'neutral',
  placed: 'info',
  queued: 'info',
  captcha: 'info',
  link_expired: 'warning',
  done: 'success',
  failed: 'neutral',
}

/** Input of the steps. */
export interface Filled {
  readonly plan: string
  readonly seats: number
  readonly account: string
  readonly link: string
}
export const EMPTY: Filled = { plan: '', seats: 1, account: '', link: '' }

/** First step that is not complete, at which a returning member continues. */
export function firstOpen(filled: Filled): FormStep {
  const plan = planOf(filled.plan)
  if (!plan) return 'service'
  if (!seatsAllowed(plan, filled.seats)) return 'plan'
  if (mailProblem(filled.account)) return 'account'
  return filled.link === '' ? 'open' : 'pay'
}

/** Position stored in the URL: survives a reload, a second tab and Back. */
export interface Place {
  readonly step?: string | undefined
  readonly service?: string | undefined
}

/** The requested step if the input allows it, else the first incomplete one. A payment page opened in another browser is not recorded. */
export function stepAt({ step: asked }: Place, filled: Filled): FormStep {
  const open = firstOpen(filled)
  const most = open === 'service' ? 'plan' : open === 'open' ? 'link' : open
  const at = STEPS.indexOf(asked as Step)
  return at >= 0 && at <= STEPS.indexOf(most) ? (asked as FormStep) : open
}

/** Service to upgrade: from the URL until a plan is saved. */
export function serviceAt({ service: asked }: Place, filled: Filled): UpgradeService {
  return UPGRADES.find((name) => name === asked) ?? planOf(filled.plan)?.service ?? 'chatgpt'
}

/** Input without the fields of another service. */
export function filledFor(service: UpgradeService, filled: Filled): Filled {
  return planOf(filled.plan)?.service === service ? filled : { ...filled, plan: '', seats: 1, link: '' }
}
