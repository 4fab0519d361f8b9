import type { Ctx, Handler } from '#platform/server/feature.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import type { AutoCharge, autoContract, AutoMethod, AutoView } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-auto.ts'
import { agreementOf } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { chargesOf } from '../../plans/data-charges.ts'
import type { ChargedOrder } from '../../plans/data-charges.ts'
import { limitsOf, planOf, usedOf } from '../../plans/data-plans.ts'
import { autoBounds, autoDefaults, autoOpen, autoPerDay } from '../settings.ts'
import { allTerms, leadMinutesOf, limitTexts, termsFor, termsOf } from '../terms.ts'
import type { Terms } from '../terms.ts'

const SHOWN = 20

export const autoRecharge: Handler<typeof autoContract.autoRecharge> = (ctx) => viewOf(ctx)

/** Everything that the page shows. */
export async function viewOf(ctx: Ctx): Promise<AutoView> {
  const plan = await planOf(ctx.db, ctx.userId)
  const mine = await termsFor(ctx)
  const isOn = plan !== undefined && plan.state !== 'off'
  const agreement = isOn ? await agreementOf(ctx.db, plan.agreement_no!) : undefined
  const terms = agreement && termsOf(await allTerms(ctx), agreement.channel_type, agreement.transaction_type)
  const shown = terms ?? mine[0]
  const bounds = await ctx.settings.get(autoBounds)
  const agreedTo = plan && limitsOf(plan)
  const used = await usedOf(ctx.db, ctx.userId)
  return {
    open: (await ctx.settings.get(autoOpen)) && mine.length > 0,
    state: plan?.state ?? 'off',
    attention: plan?.attention ?? null,
    plan: agreedTo ? limitTexts(agreedTo) : await ctx.settings.get(autoDefaults),
    agreementNo: agreement?.agreement_no ?? null,
    method: agreement && terms ? methodOfAgreement(ctx, agreement, terms) : null,
    methods: mine.map((each) => methodView(ctx, each)),
    bounds: {
      thresholdMin: bounds.thresholdMin,
      thresholdMax: bounds.thresholdMax,
      dayMax: bounds.dayMax,
      monthMax: bounds.monthMax,
      perDay: await ctx.settings.get(autoPerDay),
    },
    used: { day: usd(used.day), month: usd(used.month), charges: used.charges },
    leadMinutes: shown ? await leadMinutesOf(ctx, shown.agreed) : 0,
    pausedUntil: plan?.state === 'active' ? (plan.cool?.toISOString() ?? null) : null,
    undoUntil: plan?.undo_until?.toISOString() ?? null,
    consentVersion: CONSENT_VERSION,
    charges: (await chargesOf(ctx.db, ctx.userId, SHOWN)).map(chargeView),
  }
}

function methodView(ctx: Ctx, { channel: { manifest }, method, agreed, feePercent, fixedFee, currency, rate, min, max }: Terms): AutoMethod {
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

function methodOfAgreement(ctx: Ctx, agreement: AgreementRow, terms: Terms): NonNullable<AutoView['method']> {
  return { ...methodView(ctx, terms), label: agreement.label ?? '', signedTime: agreement.signed_at?.toISOString() ?? null }
}

function chargeView(row: ChargedOrder): AutoCharge {
  return {
    orderNo: row.order_no,
    state: row.state,
    refusal: row.refusal,
    amount: usd(row.amount_nano),
    fee: usd(row.fee_nano),
    total: usd(row.total_nano),
    payAmount: minorText(row.pay_minor),
    payCurrency: row.currency,
    transactionType: row.transaction_type,
    chargeTime: row.charge_at.toISOString(),
    createdTime: row.created_at.toISOString(),
    endedTime: row.ended_at?.toISOString() ?? null,
  }
}
