import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { outcomeOf } from '#platform/shared/supplier-error.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-auto.ts'
import { toolsFor } from '../../vendors/index.ts'
import type { Signing } from '../../vendors/port.ts'
import { countSignings, insertAgreement, insertConsent, keepSecret, lapseAgreement, leaveAgreement, lockAgreement } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { endPlan, lockPlan, savePlan } from '../../plans/data-plans.ts'
import type { Limits } from '../../plans/data-plans.ts'
import { MOST_SIGNINGS, SIGN_MINUTES } from '../../plans/rules.ts'
import { sealSecret } from '../seal.ts'
import { checkLimits, limitTexts, requireOpen, termsFor, termsOf } from '../terms.ts'
import type { Terms } from '../terms.ts'

/**
 * Records what the user agrees to, then makes the channel's page. Nothing is on before the channel says that the page was
 * signed; a page that is never signed ends by itself.
 */
export const startAuto: Handler<typeof autoContract.startAuto> = async (ctx, input) => {
  await requireOpen(ctx)
  requireConsent(input.consentVersion)
  const terms = termsOf(await termsFor(ctx), input.channelType, input.transactionType) ?? fail('CHANNEL_UNAVAILABLE')
  const { limits, figures } = await checkLimits(ctx, terms, input)
  const agreement = await prepare(ctx, terms, limits)
  crashPoint('payments.auto-before-sign')
  const signing = await sign(ctx, terms, agreement, figures.payMinor)
  crashPoint('payments.auto-after-sign')
  await keep(ctx, agreement, signing)
  if (!signing) return fail('PAY_PROCESSING')
  if (signing.kind === 'refused') return fail('CHANNEL_REFUSED')
  return { agreementNo: agreement.agreement_no, payUrl: signing.payUrl }
}

/** Refuses consent to any other version of the text than the current one: consent is stored by version. */
export function requireConsent(version: string): void {
  if (version !== CONSENT_VERSION) fail('AUTO_CONSENT')
}

async function prepare(ctx: Ctx, { channel, agreed }: Terms, limits: Limits): Promise<AgreementRow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (plan.state === 'active') fail('AUTO_CHANGED')
    if ((await countSignings(tx, ctx.userId)) >= MOST_SIGNINGS) fail('TOO_MANY_OPEN_ORDERS')
    if (plan.agreement_no) await leaveAgreement(tx, plan.agreement_no, 'user')
    const agreement = await insertAgreement(tx, {
      agreementNo: `A${shanghaiDay(ctx.clock.now()).replaceAll('-', '')}-${randomCode(12)}`,
      userId: ctx.userId,
      channelType: channel.manifest.id,
      transactionType: agreed.transactionType,
      minutes: SIGN_MINUTES,
      everyDays: agreed.everyDays,
    })
    await insertConsent(tx, { agreement, version: CONSENT_VERSION, lang: ctx.lang, limits })
    await savePlan(tx, ctx.userId, agreement.agreement_no, limits)
    await tx.audit('auto.agreed', `agreement:${agreement.agreement_no}`, { version: CONSENT_VERSION, ...limitTexts(limits) })
    return agreement
  })
}

/** Undefined when the channel did not say. */
async function sign(ctx: Ctx, { channel, agreements, currency }: Terms, agreement: AgreementRow, mostMinor: bigint): Promise<Signing | undefined> {
  const tools = toolsFor(ctx)
  try {
    return await agreements.sign(tools, {
      agreementNo: agreement.agreement_no,
      transactionType: agreement.transaction_type,
      notifyUrl: `${tools.publicUrl()}/notify/${channel.manifest.name}`,
      returnUrl: `${ctx.siteUrl()}/api?tab=view&auto=back`,
      expiresAt: agreement.expires_at,
      isPhone: ctx.clientType === 2,
      mostMinor,
      currency,
      lang: ctx.lang,
    })
  } catch (error) {
    ctx.log.warn({ err: error, agreementNo: agreement.agreement_no }, 'a channel made no page for an agreement, or did not say so')
    const { kind, message } = outcomeOf(error)
    return kind === 'rejected' ? { kind: 'refused', reason: message } : undefined
  }
}

/** Stores the sealed secret of an opened signing page. Without a page the user cannot sign, so the agreement ends at once. */
async function keep(ctx: Ctx, { agreement_no: agreementNo }: AgreementRow, signing: Signing | undefined): Promise<void> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (signing?.kind === 'opened') await keepSecret(tx, agreementNo, sealSecret(ctx.secretKey, agreementNo, signing.secret))
    else if ((await lockAgreement(tx, agreementNo)).state === 'signing') {
      await lapseAgreement(tx, agreementNo)
      if (plan.agreement_no === agreementNo && plan.state === 'signing') await endPlan(tx, ctx.userId)
    }
    await tx.audit(`agreement.${signing?.kind ?? 'lost'}`, `agreement:${agreementNo}`)
  })
}
