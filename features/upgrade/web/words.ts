import type { useTexts } from '#platform/web/i18n.ts'
import type { Tone } from '#ui/badge.tsx'
import type { UpgradeRow } from '../contract.ts'
import { planOf, seatsAllowed, UPGRADES } from '../plans.ts'
import type { UpgradeService } from '../plans.ts'
import { mailProblem } from '../check-input.ts'
import type { upgradeTexts } from '../texts.ts'

export type Say = ReturnType<typeof useTexts<keyof (typeof upgradeTexts)['zh']>>

/** The nine steps; the last two are what happens then. */
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

/** What is filled in on the way. */
export interface Filled {
  readonly plan: string
  readonly seats: number
  readonly account: string
  readonly link: string
}
export const EMPTY: Filled = { plan: '', seats: 1, account: '', link: '' }

/** Where somebody who comes back goes on: the first step that is not done. */
export function firstOpen(filled: Filled): FormStep {
  const plan = planOf(filled.plan)
  if (!plan) return 'service'
  if (!seatsAllowed(plan, filled.seats)) return 'plan'
  if (mailProblem(filled.account)) return 'account'
  return filled.link === '' ? 'open' : 'pay'
}

/** What the address says of where somebody was: it outlives a reload, a second tab and the way back. */
export interface Place {
  readonly step?: unknown
  readonly service?: unknown
}

/** That step, if what is filled in leads so far; else the first that is not done. A page that was opened elsewhere is known by nobody but who opened it. */
export function stepAt({ step: asked }: Place, filled: Filled): FormStep {
  const open = firstOpen(filled)
  const most = open === 'service' ? 'plan' : open === 'open' ? 'link' : open
  const at = STEPS.indexOf(asked as Step)
  return at >= 0 && at <= STEPS.indexOf(most) ? (asked as FormStep) : open
}

/** What is being upgraded: the address decides until a plan is kept. */
export function serviceAt({ service: asked }: Place, filled: Filled): UpgradeService {
  return UPGRADES.find((name) => name === asked) ?? planOf(filled.plan)?.service ?? 'chatgpt'
}

/** Without what belongs to another service. */
export function filledFor(service: UpgradeService, filled: Filled): Filled {
  return planOf(filled.plan)?.service === service ? filled : { ...filled, plan: '', seats: 1, link: '' }
}
