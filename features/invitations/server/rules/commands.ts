import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { usdAmount, usdText } from '#platform/shared/contract.ts'
import { parseUsd, formatUsd, floorToCents } from '#platform/shared/money.ts'
import { selectNewestRule } from '../data.ts'
import type { RuleRow } from '../data.ts'
import { publishRules } from './publish-rules.ts'

const days = z.int().min(0)
const money = usdAmount.refine((text) => parseUsd(text) > 0n)
const cents = money.refine((text) => floorToCents(parseUsd(text)) === parseUsd(text))
/** Omitted fields keep the value of the newest version; `null` switches a part off. */
const input = z.object({
  /** Start of the version; earlier relations keep their version for `keepDays`. */
  effectiveAt: z.iso.datetime({ offset: true }),
  ...{ reward: cents.optional(), discount: usdAmount.optional(), threshold: money.optional(), withdrawMin: money.optional() },
  ...{ inviterCap: money.optional(), programmeCap: money.optional(), holdDays: days.max(365).optional(), keepDays: days.max(3650).optional() },
  tiers: z
    .array(z.object({ from: z.int().min(1).max(10_000), reward: usdText }))
    .min(1)
    .max(10)
    .nullable()
    .optional(),
  second: cents.nullable().optional(),
  cashbackPercent: z
    .string()
    .regex(/^\d{1,2}(\.\d{1,4})?$/)
    .nullable()
    .optional(),
})
type RuleInput = z.output<typeof input>

const orElse = (text: string | undefined, before: bigint) => (text === undefined ? before : parseUsd(text))

function mergeRule(before: RuleRow, wanted: RuleInput): Omit<RuleRow, 'version'> {
  return {
    effective_at: new Date(wanted.effectiveAt),
    reward_nano: orElse(wanted.reward, before.reward_nano),
    discount_nano: orElse(wanted.discount, before.discount_nano),
    threshold_nano: orElse(wanted.threshold, before.threshold_nano),
    hold_days: wanted.holdDays ?? before.hold_days,
    keep_days: wanted.keepDays ?? before.keep_days,
    inviter_cap_nano: orElse(wanted.inviterCap, before.inviter_cap_nano),
    programme_cap_nano: orElse(wanted.programmeCap, before.programme_cap_nano),
    withdraw_min_nano: orElse(wanted.withdrawMin, before.withdraw_min_nano),
    tiers: wanted.tiers === undefined ? before.tiers : wanted.tiers,
    second_nano: wanted.second === undefined ? before.second_nano : wanted.second === null ? null : parseUsd(wanted.second),
    cashback_percent: wanted.cashbackPercent === undefined ? before.cashback_percent : wanted.cashbackPercent,
  }
}

function formatRule(rule: RuleRow) {
  return {
    ...{ version: rule.version, effectiveAt: rule.effective_at.toISOString(), reward: formatUsd(rule.reward_nano), discount: formatUsd(rule.discount_nano) },
    ...{ threshold: formatUsd(rule.threshold_nano), holdDays: rule.hold_days, keepDays: rule.keep_days, withdrawMin: formatUsd(rule.withdraw_min_nano) },
    ...{ inviterCap: formatUsd(rule.inviter_cap_nano), programmeCap: formatUsd(rule.programme_cap_nano) },
    tiers: rule.tiers?.map(({ from, reward }) => `${from}: ${reward}`).join(', ') ?? null,
    ...{ second: rule.second_nano === null ? null : formatUsd(rule.second_nano), cashbackPercent: rule.cashback_percent },
  }
}

export const ruleCommands = [
  defineCommand({
    name: 'reward.rules',
    summary: 'A new version of the rules of rewards, from a time to come; the versions of before stay',
    permission: 'settings.change',
    input,
    subject: async () => 'rules:rewards',
    look: async ({ tx }) => formatRule(await selectNewestRule(tx)),
    run: async ({ deps, tx, by }, wanted) => ({ version: await publishRules(deps, by, mergeRule(await selectNewestRule(tx), wanted)) }),
  }),
] as const
