import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-auto.ts'
import { selectAgreement, insertConsent } from '../../plans/data-agreements.ts'
import { updateAutoPlanLimits, lockPlan, selectAutoPlan } from '../../plans/data-plans.ts'
import { emitPlanEvent } from '../../plans/emit-auto-event.ts'
import { listMethodTerms, checkLimits, formatLimits, requireAutoRechargeOpen, findMethodTerms } from '../terms.ts'
import { requireConsent } from './start-auto.ts'
import { buildAutoView } from './auto-recharge.ts'

/** Changes the amounts of a plan, with new consent. A charge already announced keeps its amount. */
export const changeAuto: Handler<typeof autoContract.changeAuto> = async (ctx, input) => {
  await requireAutoRechargeOpen(ctx)
  requireConsent(input.consentVersion)
  const { agreementNo, state } = (await selectAutoPlan(ctx.db, ctx.userId)) ?? {}
  const agreement = agreementNo && state !== 'off' ? await selectAgreement(ctx.db, agreementNo) : undefined
  if (agreement?.state !== 'active') return fail('AUTO_CHANGED')
  const terms = findMethodTerms(await listMethodTerms(ctx), agreement.channelType, agreement.transactionType) ?? fail('CHANNEL_UNAVAILABLE')
  const { limits } = await checkLimits(ctx, terms, input)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (plan.agreementNo !== agreement.agreementNo || plan.state === 'off') fail('AUTO_CHANGED')
    await updateAutoPlanLimits(tx, ctx.userId, limits)
    await insertConsent(tx, { agreement, version: CONSENT_VERSION, lang: ctx.lang, limits })
    await emitPlanEvent(tx, ctx.userId, { event: 'auto.changed', facts: { ...formatLimits(limits), label: agreement.label ?? '' } })
    await tx.audit('auto.agreed', `agreement:${agreement.agreementNo}`, { version: CONSENT_VERSION, ...formatLimits(limits) })
  })
  return buildAutoView(ctx)
}
