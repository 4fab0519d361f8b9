import type { Ctx, Handler } from '#platform/server/feature.ts'
import { atLeast, least, minus, parseUsd, usd } from '#platform/shared/money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import type { invitationsContract } from '../../contract.ts'
import type { fissionContract } from '../../contract-fission.ts'
import type { InvitationInfo, Rules } from '../../contract-shapes.ts'
import { codesFor } from '../codes/own-code.ts'
import { codeUntil } from '../codes/take-code.ts'
import type { RuleRow } from '../data.ts'
import { rateOf } from '../rates/data.ts'
import type { RateRow } from '../rates/data.ts'
import { countQuarter, openReview } from '../rewards/data.ts'
import { directWorth } from '../rewards/amounts.ts'
import { PROGRAMME, scopeOf } from '../rewards/book.ts'
import { budgetsLeft, sumsOf } from '../rewards/data-lists.ts'
import type { Sums } from '../rewards/data-lists.ts'
import { ruleNow } from '../rules/rules.ts'
import { reviewDays } from '../settings.ts'

export const info: Handler<typeof invitationsContract.info> = async (ctx) => {
  const rule = await ruleNow(ctx.db)
  const own = await rateOf(ctx.db, ctx.userId)
  const sums = await sumsOf(ctx.db, ctx.userId)
  const codes = await codesFor(ctx.db, ctx.userId)
  const inviteCode = codes.own ?? codes.made
  const [review, number, until] = [await openReview(ctx.db, ctx.userId), await countQuarter(ctx.db, ctx.userId), await codeUntil(ctx, ctx.userId)]
  return {
    ...statView(sums, inviteCode),
    madeCode: codes.made,
    ownCode: codes.own,
    link: `${ctx.siteUrl()}/i/${inviteCode}`,
    rules: rulesView(rule, await ctx.settings.get(reviewDays)),
    pendingNumber: sums.pending_count,
    firstAvailableTime: sums.first_available?.toISOString() ?? null,
    paidNumber: sums.qualified,
    heldNumber: sums.held_count,
    backNumber: sums.back_count,
    underReview: review !== undefined || sums.held_count > 0,
    fullUntil: await fullUntil(ctx, rule, own?.reward_nano ?? rule.reward_nano),
    withdrawMissing: usd(missing(sums, rule)),
    quarter: quarterView(rule, number, ctx.clock.now(), own),
    ownRate: own ? { reward: usd(own.reward_nano), until: shanghaiDay(own.valid_until.getTime() - 1) } : null,
    codeUntil: until?.toISOString() ?? null,
  }
}

export const stat: Handler<typeof fissionContract.getInvitationRewardStat> = async (ctx) => {
  const codes = await codesFor(ctx.db, ctx.userId)
  return statView(await sumsOf(ctx.db, ctx.userId), codes.own ?? codes.made)
}

export const reward: Handler<typeof fissionContract.getInvitationReward> = async (ctx) => {
  const rule = await ruleNow(ctx.db)
  const sums = await sumsOf(ctx.db, ctx.userId)
  return {
    available: usd(sums.available),
    pending: usd(sums.pending),
    withdrawMin: usd(rule.withdraw_min_nano),
    withdrawMissing: usd(missing(sums, rule)),
    underReview: (await openReview(ctx.db, ctx.userId)) !== undefined,
  }
}

function statView(sums: Sums, inviteCode: string) {
  return {
    inviteCode,
    totalNumber: sums.people,
    rechargedNumber: sums.qualified,
    rewardAmount: usd(sums.earned),
    directNumber: sums.people,
    directReward: usd(sums.direct),
    secondNumber: sums.second_people,
    secondReward: usd(sums.second),
    pendingAmount: usd(sums.pending),
    withdrawableAmount: usd(sums.available),
  }
}

function rulesView(rule: RuleRow, days: number): Rules {
  return {
    version: rule.version,
    since: rule.effective_at.toISOString(),
    reward: usd(rule.reward_nano),
    discount: usd(rule.discount_nano),
    threshold: usd(rule.threshold_nano),
    holdDays: rule.hold_days,
    keepDays: rule.keep_days,
    reviewDays: days,
    inviterCap: usd(rule.inviter_cap_nano),
    withdrawMin: usd(rule.withdraw_min_nano),
    tiers: rule.tiers && rule.tiers.map(({ from, reward: worth }) => ({ from, reward: worth })),
    second: rule.second_nano === null ? null : usd(rule.second_nano),
    cashbackPercent: rule.cashback_percent,
  }
}

const missing = (sums: Sums, rule: RuleRow) => atLeast(minus(rule.withdraw_min_nano, sums.available), 0n)

/** First day of the next month while no further reward of this one fits. */
async function fullUntil(ctx: Ctx, rule: RuleRow, reward: bigint): Promise<string | null> {
  const rows = await budgetsLeft(ctx.db, [scopeOf(ctx.userId), PROGRAMME])
  const left = (scope: string, cap: bigint) => minus(cap, rows.find((row) => row.scope === scope)?.used ?? 0n)
  if (least(left(scopeOf(ctx.userId), rule.inviter_cap_nano), left(PROGRAMME, rule.programme_cap_nano)) >= reward) return null
  const [year = 0, month = 0] = shanghaiDay(ctx.clock.now()).split('-').map(Number)
  return shanghaiDay(Date.UTC(year, month, 1) - 8 * 3_600_000)
}

function quarterView(rule: RuleRow, number: number, now: Date, own: RateRow | undefined): InvitationInfo['quarter'] {
  const [year = 0, month = 0] = shanghaiDay(now).split('-').map(Number)
  const first = month - 1 - ((month - 1) % 3)
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const next = own ? undefined : rule.tiers?.find(({ from }) => from > number + 1)
  return {
    from: day(Date.UTC(year, first, 1)),
    to: day(Date.UTC(year, first + 3, 0)),
    number,
    rate: usd(own?.reward_nano ?? directWorth(rule, number + 1).amount),
    next: next ? { missing: next.from - number - 1, rate: usd(parseUsd(next.reward)) } : null,
  }
}
