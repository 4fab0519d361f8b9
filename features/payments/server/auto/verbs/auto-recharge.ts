import type { Ctx, Handler } from '#platform/server/feature.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import type { AutoCharge, autoContract, AutoMethod, AutoView } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-out.ts'
import { selectAgreement } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { selectUserCharges } from '../../plans/data-charges.ts'
import type { ChargedOrder } from '../../plans/data-charges.ts'
import { toAutoPlanLimits, selectAutoPlan, selectUsedSums } from '../../plans/data-plans.ts'
import { autoBounds, autoDefaults, autoOpen, autoPerDay } from '../settings.ts'
import { listMethodTerms, readLeadMinutes, formatLimits, listUserMethodTerms, findMethodTerms } from '../terms.ts'
import type { StoredMethodTerms } from '../terms.ts'

const MAX_SHOWN_CHARGES = 20

export const autoRecharge: Handler<typeof autoContract.autoRecharge> = (ctx) => buildAutoView(ctx)

/** Returns all data of the auto recharge page. */
export async function buildAutoView(ctx: Ctx): Promise<AutoView> {
  const plan = await selectAutoPlan(ctx.db, ctx.userId)
  const mine = await listUserMethodTerms(ctx)
  const isOn = plan !== undefined && plan.state !== 'off'
  const agreement = isOn ? await selectAgreement(ctx.db, plan.agreementNo!) : undefined
  const terms = agreement && findMethodTerms(await listMethodTerms(ctx), agreement.channelType, agreement.transactionType)
  const shown = terms ?? mine[0]
  const bounds = await ctx.settings.get(autoBounds)
  const agreedTo = plan && toAutoPlanLimits(plan)
  const used = await selectUsedSums(ctx.db, ctx.userId)
  return {
    open: (await ctx.settings.get(autoOpen)) && mine.length > 0,
    state: plan?.state ?? 'off',
    attention: plan?.attention ?? null,
    plan: agreedTo ? formatLimits(agreedTo) : await ctx.settings.get(autoDefaults),
    agreementNo: agreement?.agreementNo ?? null,
    method: agreement && terms ? toAgreementMethod(ctx, agreement, terms) : null,
    methods: mine.map((each) => toMethodView(ctx, each)),
    bounds: {
      ...pick(bounds, 'thresholdMin', 'thresholdMax', 'dayMax', 'monthMax'),
      perDay: await ctx.settings.get(autoPerDay),
    },
    used: { day: formatUsd(used.day), month: formatUsd(used.month), charges: used.charges },
    leadMinutes: shown ? await readLeadMinutes(ctx, shown.agreed) : 0,
    pausedUntil: plan?.state === 'active' ? (plan.cool?.toISOString() ?? null) : null,
    undoUntil: plan?.undoUntil?.toISOString() ?? null,
    consentVersion: CONSENT_VERSION,
    charges: (await selectUserCharges(ctx.db, ctx.userId, MAX_SHOWN_CHARGES)).map(toChargeView),
  }
}

function toMethodView(ctx: Ctx, { channel: { manifest }, method, agreed, feePercent, fixedFee, currency, rate, min, max }: StoredMethodTerms): AutoMethod {
  return {
    channelType: manifest.id,
    transactionType: method.transactionType,
    name: method.label[ctx.lang],
    img: `/pay/icons/${manifest.name}-${method.transactionType}.svg`,
    feePercent,
    fixedFee,
    payCurrency: currency,
    rate,
    min,
    max,
    everyDays: agreed.everyDays,
  }
}

function toAgreementMethod(ctx: Ctx, agreement: AgreementRow, terms: StoredMethodTerms): NonNullable<AutoView['method']> {
  return { ...toMethodView(ctx, terms), label: agreement.label ?? '', signedTime: agreement.signedAt?.toISOString() ?? null }
}

function toChargeView(row: ChargedOrder): AutoCharge {
  return {
    orderNo: row.orderNo,
    state: row.state,
    refusal: row.refusal,
    amount: formatUsd(row.amountNano),
    fee: formatUsd(row.feeNano),
    total: formatUsd(row.totalNano),
    payAmount: formatMinor(row.payMinor),
    payCurrency: row.currency,
    transactionType: row.transactionType,
    chargeTime: row.chargeAt.toISOString(),
    createdTime: row.createdAt.toISOString(),
    endedTime: row.endedAt?.toISOString() ?? null,
  }
}
