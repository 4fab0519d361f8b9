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
    effectiveAt: new Date(wanted.effectiveAt),
    rewardNano: orElse(wanted.reward, before.rewardNano),
    discountNano: orElse(wanted.discount, before.discountNano),
    thresholdNano: orElse(wanted.threshold, before.thresholdNano),
    holdDays: wanted.holdDays ?? before.holdDays,
    keepDays: wanted.keepDays ?? before.keepDays,
    inviterCapNano: orElse(wanted.inviterCap, before.inviterCapNano),
    programmeCapNano: orElse(wanted.programmeCap, before.programmeCapNano),
    withdrawMinNano: orElse(wanted.withdrawMin, before.withdrawMinNano),
    tiers: wanted.tiers === undefined ? before.tiers : wanted.tiers,
    secondNano: wanted.second === undefined ? before.secondNano : wanted.second === null ? null : parseUsd(wanted.second),
    cashbackPercent: wanted.cashbackPercent === undefined ? before.cashbackPercent : wanted.cashbackPercent,
  }
}

function formatRule(rule: RuleRow) {
  return {
    ...{ version: rule.version, effectiveAt: rule.effectiveAt.toISOString(), reward: formatUsd(rule.rewardNano), discount: formatUsd(rule.discountNano) },
    ...{ threshold: formatUsd(rule.thresholdNano), holdDays: rule.holdDays, keepDays: rule.keepDays, withdrawMin: formatUsd(rule.withdrawMinNano) },
    ...{ inviterCap: formatUsd(rule.inviterCapNano), programmeCap: formatUsd(rule.programmeCapNano) },
    tiers: rule.tiers?.map(({ from, reward }) => `${from}: ${reward}`).join(', ') ?? null,
    ...{ second: rule.secondNano === null ? null : formatUsd(rule.secondNano), cashbackPercent: rule.cashbackPercent },
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
