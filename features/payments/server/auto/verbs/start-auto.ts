import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-out.ts'
import { createChannelTools } from '../../vendors/index.ts'
import type { Signing } from '../../vendors/port.ts'
import { countSignings, insertAgreement, insertConsent, storeSecret, lapseAgreement, markAgreementEnding, lockAgreement } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { endPlan, lockPlan, savePlan } from '../../plans/data-plans.ts'
import type { AutoPlanLimits } from '../../plans/data-plans.ts'
import { MAX_SIGNINGS_PER_DAY, SIGN_MINUTES } from '../../plans/rules.ts'
import { sealSecret } from '../seal.ts'
import { checkLimits, formatLimits, requireAutoRechargeOpen, listUserMethodTerms, findMethodTerms } from '../terms.ts'
import type { StoredMethodTerms } from '../terms.ts'

/**
 * Records the user's consent, then creates the channel's signing page. Nothing is active until the channel confirms the signature; an
 * unsigned page expires.
 */
export const startAuto: Handler<typeof autoContract.startAuto> = async (ctx, input) => {
  await requireAutoRechargeOpen(ctx)
  requireConsent(input.consentVersion)
  const terms = findMethodTerms(await listUserMethodTerms(ctx), input.channelType, input.transactionType) ?? fail('CHANNEL_UNAVAILABLE')
  const { limits, figures } = await checkLimits(ctx, terms, input)
  const agreement = await prepareAgreement(ctx, terms, limits)
  crashPoint('payments.auto-before-sign')
  const signing = await openSigning(ctx, terms, { agreement, mostMinor: figures.payMinor })
  crashPoint('payments.auto-after-sign')
  await storeSigning(ctx, agreement, signing)
  if (!signing) return fail('PAY_PROCESSING')
  if (signing.kind === 'refused') return fail('CHANNEL_REFUSED')
  return { agreementNo: agreement.agreementNo, payUrl: signing.payUrl }
}

/** Refuses consent to any version of the text but the current one: consent is stored by version. */
export function requireConsent(version: string): void {
  if (version !== CONSENT_VERSION) fail('AUTO_CONSENT')
}

async function prepareAgreement(ctx: Ctx, { channel, agreed }: StoredMethodTerms, limits: AutoPlanLimits): Promise<AgreementRow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (plan.state === 'active') fail('AUTO_CHANGED')
    if ((await countSignings(tx, ctx.userId)) >= MAX_SIGNINGS_PER_DAY) fail('TOO_MANY_OPEN_ORDERS')
    if (plan.agreementNo) await markAgreementEnding(tx, plan.agreementNo, 'user')
    const agreement = await insertAgreement(tx, {
      agreementNo: `A${toShanghaiDay(ctx.clock.now()).replaceAll('-', '')}-${createRandomCode(12)}`,
      userId: ctx.userId,
      channelType: channel.manifest.id,
      transactionType: agreed.transactionType,
      minutes: SIGN_MINUTES,
      everyDays: agreed.everyDays,
    })
    await insertConsent(tx, { agreement, version: CONSENT_VERSION, lang: ctx.lang, limits })
    await savePlan(tx, ctx.userId, { agreementNo: agreement.agreementNo, limits })
    await tx.audit('auto.agreed', `agreement:${agreement.agreementNo}`, { version: CONSENT_VERSION, ...formatLimits(limits) })
    return agreement
  })
}

/** Undefined if the channel did not say. */
async function openSigning(
  ctx: Ctx,
  { channel, agreements, currency }: StoredMethodTerms,
  { agreement, mostMinor }: { readonly agreement: AgreementRow; readonly mostMinor: bigint },
): Promise<Signing | undefined> {
  const tools = createChannelTools(ctx)
  try {
    return await agreements.sign(tools, {
      agreementNo: agreement.agreementNo,
      transactionType: agreement.transactionType,
      notifyUrl: `${tools.publicUrl()}/notify/${channel.manifest.name}`,
      returnUrl: `${ctx.siteUrl()}/api?tab=view&auto=back`,
      expiresAt: agreement.expiresAt,
      isPhone: ctx.clientType === 2,
      mostMinor,
      currency,
      lang: ctx.lang,
    })
  } catch (error) {
    ctx.log.warn({ err: error, agreementNo: agreement.agreementNo }, 'a channel made no page for an agreement, or did not say so')
    const { kind, message } = asSupplierError(error)
    return kind === 'rejected' ? { kind: 'refused', reason: message } : undefined
  }
}

/** Stores the sealed secret of an opened signing page. Without a page the user cannot sign, so the agreement ends at once. */
async function storeSigning(ctx: Ctx, { agreementNo }: AgreementRow, signing: Signing | undefined): Promise<void> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (signing?.kind === 'opened') await storeSecret(tx, agreementNo, sealSecret(ctx.secretKey, agreementNo, signing.secret))
    else if ((await lockAgreement(tx, agreementNo)).state === 'signing') {
      await lapseAgreement(tx, agreementNo)
      if (plan.agreementNo === agreementNo && plan.state === 'signing') await endPlan(tx, ctx.userId)
    }
    await tx.audit(`agreement.${signing?.kind ?? 'lost'}`, `agreement:${agreementNo}`)
  })
}
