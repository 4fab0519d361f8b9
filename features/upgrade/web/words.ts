import type { useTexts } from '#platform/web/i18n.ts'
import type { Tone } from '#ui/badge.tsx'
import type { UpgradeRow } from '../contract.ts'
import { planOf, seatsAllowed } from '../plans.ts'
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
