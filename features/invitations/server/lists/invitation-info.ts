import type { Ctx, Handler } from '#platform/server/feature.ts'
import { maxNano, minNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { invitationsContract } from '../../contract.ts'
import type { fissionContract } from '../../contract-fission.ts'
import type { InvitationInfo, InvitationRules } from '../../contract-shapes.ts'
import { ensureCodes } from '../codes/own-code.ts'
import { readCodeDeadline } from '../codes/redeem-code.ts'
import type { RuleRow } from '../data.ts'
import { selectCurrentRate } from '../rates/data.ts'
import type { RateRow } from '../rates/data.ts'
import { countQuarter, selectOpenReview } from '../rewards/data.ts'
import { computeDirectReward } from '../rewards/amounts.ts'
import { PROGRAMME_SCOPE, formatInviterScope } from '../rewards/book.ts'
import { selectUsedBudgets, selectInvitationSums } from '../rewards/data-lists.ts'
import type { InvitationSums } from '../rewards/data-lists.ts'
import { readCurrentRule } from '../rules/rules.ts'
import { reviewDays } from '../settings.ts'

export const readInvitationInfo: Handler<typeof invitationsContract.info> = async (ctx) => {
  const rule = await readCurrentRule(ctx.db)
  const own = await selectCurrentRate(ctx.db, ctx.userId)
  const sums = await selectInvitationSums(ctx.db, ctx.userId)
  const codes = await ensureCodes(ctx.db, ctx.userId)
  const inviteCode = codes.own ?? codes.made
  const [review, number, until] = [await selectOpenReview(ctx.db, ctx.userId), await countQuarter(ctx.db, ctx.userId), await readCodeDeadline(ctx, ctx.userId)]
  return {
    ...toStat(sums, inviteCode),
    madeCode: codes.made,
    ownCode: codes.own,
    link: `${ctx.siteUrl()}/i/${inviteCode}`,
    rules: toRules(rule, await ctx.settings.get(reviewDays)),
    pendingNumber: sums.pendingCount,
    firstAvailableTime: sums.firstAvailable?.toISOString() ?? null,
    paidNumber: sums.qualified,
    heldNumber: sums.heldCount,
    backNumber: sums.backCount,
    underReview: review !== undefined || sums.heldCount > 0,
    fullUntil: await findBudgetReset(ctx, rule, own?.rewardNano ?? rule.rewardNano),
    withdrawMissing: formatUsd(computeMissing(sums, rule)),
    quarter: toQuarter(rule, number, { now: ctx.clock.now(), own }),
    ownRate: own ? { reward: formatUsd(own.rewardNano), until: toShanghaiDay(own.validUntil.getTime() - 1) } : null,
    codeUntil: until?.toISOString() ?? null,
  }
}

export const readInvitationStat: Handler<typeof fissionContract.getInvitationRewardStat> = async (ctx) => {
  const codes = await ensureCodes(ctx.db, ctx.userId)
  return toStat(await selectInvitationSums(ctx.db, ctx.userId), codes.own ?? codes.made)
}

export const readRewardSummary: Handler<typeof fissionContract.getInvitationReward> = async (ctx) => {
  const rule = await readCurrentRule(ctx.db)
  const sums = await selectInvitationSums(ctx.db, ctx.userId)
  return {
    available: formatUsd(sums.available),
    pending: formatUsd(sums.pending),
    withdrawMin: formatUsd(rule.withdrawMinNano),
    withdrawMissing: formatUsd(computeMissing(sums, rule)),
    underReview: (await selectOpenReview(ctx.db, ctx.userId)) !== undefined,
  }
}

function toStat(sums: InvitationSums, inviteCode: string) {
  return {
    inviteCode,
    totalNumber: sums.people,
    rechargedNumber: sums.qualified,
    rewardAmount: formatUsd(sums.earned),
    directNumber: sums.people,
    directReward: formatUsd(sums.direct),
    secondNumber: sums.secondPeople,
    secondReward: formatUsd(sums.second),
    pendingAmount: formatUsd(sums.pending),
    withdrawableAmount: formatUsd(sums.available),
  }
}

function toRules(rule: RuleRow, days: number): InvitationRules {
  return {
    version: rule.version,
    since: rule.effectiveAt.toISOString(),
    reward: formatUsd(rule.rewardNano),
    discount: formatUsd(rule.discountNano),
    threshold: formatUsd(rule.thresholdNano),
    holdDays: rule.holdDays,
    keepDays: rule.keepDays,
    reviewDays: days,
    inviterCap: formatUsd(rule.inviterCapNano),
    withdrawMin: formatUsd(rule.withdrawMinNano),
    tiers: rule.tiers && rule.tiers.map(({ from, reward: worth }) => ({ from, reward: worth })),
    second: rule.secondNano === null ? null : formatUsd(rule.secondNano),
    cashbackPercent: rule.cashbackPercent,
  }
}

const computeMissing = (sums: InvitationSums, rule: RuleRow) => maxNano(subtractNano(rule.withdrawMinNano, sums.available), 0n)

/** First day of the next month while no further reward of this one fits. */
async function findBudgetReset(ctx: Ctx, rule: RuleRow, reward: bigint): Promise<string | null> {
  const rows = await selectUsedBudgets(ctx.db, [formatInviterScope(ctx.userId), PROGRAMME_SCOPE])
  const left = (scope: string, cap: bigint) => subtractNano(cap, rows.find((row) => row.scope === scope)?.used ?? 0n)
  if (minNano(left(formatInviterScope(ctx.userId), rule.inviterCapNano), left(PROGRAMME_SCOPE, rule.programmeCapNano)) >= reward) return null
  const [year = 0, month = 0] = toShanghaiDay(ctx.clock.now()).split('-').map(Number)
  return toShanghaiDay(Date.UTC(year, month, 1) - 8 * 3_600_000)
}

function toQuarter(rule: RuleRow, number: number, { now, own }: { readonly now: Date; readonly own: RateRow | undefined }): InvitationInfo['quarter'] {
  const [year = 0, month = 0] = toShanghaiDay(now).split('-').map(Number)
  const first = month - 1 - ((month - 1) % 3)
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const next = own ? undefined : rule.tiers?.find(({ from }) => from > number + 1)
  return {
    from: day(Date.UTC(year, first, 1)),
    to: day(Date.UTC(year, first + 3, 0)),
    number,
    rate: formatUsd(own?.rewardNano ?? computeDirectReward(rule, number + 1).amount),
    next: next ? { missing: next.from - number - 1, rate: formatUsd(parseUsd(next.reward)) } : null,
  }
}
