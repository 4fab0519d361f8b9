import type { TextKeyOf } from '#platform/shared/texts.ts'
import type { useTexts } from '#platform/web/i18n.ts'
import type { Tone } from '#ui/badge.tsx'
import type { UpgradeRow } from '../contract.ts'
import { findUpgradePlan, isSeatCountAllowed, UPGRADE_SERVICES, findMailProblem } from '../plans.ts'
import type { UpgradeService } from '../plans.ts'
import type { upgradeTexts } from '../texts.ts'

export type UpgradeTranslate = ReturnType<typeof useTexts<TextKeyOf<typeof upgradeTexts>>>

/** The nine steps; the last two follow after the form. */
export const UPGRADE_STEPS = ['service', 'plan', 'notice', 'account', 'open', 'link', 'pay', 'wait', 'result'] as const
export type UpgradeStep = (typeof UPGRADE_STEPS)[number]
export type FormStep = Exclude<UpgradeStep, 'wait' | 'result'>

export const UPGRADE_TONES: Readonly<Record<UpgradeRow['state'], Tone>> = {
  draft: 'neutral',
  placed: 'info',
  queued: 'info',
  captcha: 'info',
  link_expired: 'warning',
  done: 'success',
  failed: 'neutral',
}

/** Input of the steps. */
export interface UpgradeInput {
  readonly plan: string
  readonly seats: number
  readonly account: string
  readonly link: string
}
export const EMPTY_UPGRADE: UpgradeInput = { plan: '', seats: 1, account: '', link: '' }

/** First step that is not complete, at which a returning member continues. */
export function findFirstIncompleteStep(filled: UpgradeInput): FormStep {
  const plan = findUpgradePlan(filled.plan)
  if (!plan) return 'service'
  if (!isSeatCountAllowed(plan, filled.seats)) return 'plan'
  if (findMailProblem(filled.account)) return 'account'
  return filled.link === '' ? 'open' : 'pay'
}

/** Position stored in the URL: survives a reload, a second tab and Back. */
export interface WizardPosition {
  readonly step?: string | undefined
  readonly service?: string | undefined
}

/** The requested step if the input allows it, else the first incomplete one. A payment page opened in another browser is not recorded. */
export function resolveUpgradeStep({ step: asked }: WizardPosition, filled: UpgradeInput): FormStep {
  const open = findFirstIncompleteStep(filled)
  const most = open === 'service' ? 'plan' : open === 'open' ? 'link' : open
  const at = UPGRADE_STEPS.indexOf(asked as UpgradeStep)
  return at >= 0 && at <= UPGRADE_STEPS.indexOf(most) ? (asked as FormStep) : open
}

/** Service to upgrade: from the URL until a plan is saved. */
export function resolveUpgradeService({ service: asked }: WizardPosition, filled: UpgradeInput): UpgradeService {
  return UPGRADE_SERVICES.find((name) => name === asked) ?? findUpgradePlan(filled.plan)?.service ?? 'chatgpt'
}

/** Input without the fields of another service. */
export function resetForService(service: UpgradeService, filled: UpgradeInput): UpgradeInput {
  return findUpgradePlan(filled.plan)?.service === service ? filled : { ...filled, plan: '', seats: 1, link: '' }
}
