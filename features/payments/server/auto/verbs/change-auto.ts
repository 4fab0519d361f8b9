import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { CONSENT_VERSION } from '../../../words-out.ts'
import { selectAgreement, insertConsent, lockAgreement, markAgreementEnding } from '../../plans/data-agreements.ts'
import { updateAutoPlanLimits, lockPlan, selectAutoPlan, activatePlan, endPlan, stopPlan } from '../../plans/data-plans.ts'
import { emitPlanEvent } from '../../plans/emit-auto-event.ts'
import { listMethodTerms, checkLimits, formatLimits, requireAutoRechargeOpen, findMethodTerms } from '../terms.ts'
import { requireConsent } from './start-auto.ts'
import { buildAutoView } from './auto-recharge.ts'
import { syncAgreement } from './sync-agreement.ts'
import { selectLiveCharge } from '../../plans/data-charges.ts'
import { STOP_UNDO_MINUTES } from '../../plans/rules.ts'
import { cancelAnnouncedCharge } from './send-charge.ts'

/**
 * Stops auto recharge. No charge is sent after it commits: the transaction that sends a charge checks this row. Announced charges are
 * cancelled, sent ones are settled.
 */
export const stopAuto: Handler<typeof autoContract.stopAuto> = async (ctx) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (plan.state === 'signing') {
      // Nothing is stored yet, so there is nothing to undo.
      await endPlan(tx, ctx.userId)
      await markAgreementEnding(tx, plan.agreementNo!, 'user')
      await tx.audit('auto.given_up', `user:${ctx.userId}`)
    } else if (plan.state === 'active' || plan.state === 'attention') {
      await stopPlan(tx, ctx.userId, STOP_UNDO_MINUTES)
      await emitPlanEvent(tx, ctx.userId, { event: 'auto.stopped', facts: { undoMinutes: STOP_UNDO_MINUTES } })
    }
  })
  const live = await selectLiveCharge(ctx.db, ctx.userId)
  if (live?.state === 'announced') await cancelAnnouncedCharge(ctx, live.orderId)
  return buildAutoView(ctx)
}

/** Undoes a stop, or resumes after refusals. The agreed terms stay unchanged. */
export const resumeAuto: Handler<typeof autoContract.resumeAuto> = async (ctx) => {
  await requireAutoRechargeOpen(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    const canResume = plan.state === 'attention' || (plan.state === 'stopped' && plan.undoUntil! > plan.now)
    if (!canResume || (await lockAgreement(tx, plan.agreementNo!)).state !== 'active') fail('AUTO_CHANGED')
    await activatePlan(tx, ctx.userId)
    await tx.audit('auto.resumed', `user:${ctx.userId}`)
  })
  return buildAutoView(ctx)
}

/** Called on return from the channel's page, when its notice may not have arrived yet. */
export const checkAuto: Handler<typeof autoContract.checkAuto> = async (ctx) => {
  const plan = await selectAutoPlan(ctx.db, ctx.userId)
  if (plan?.state === 'signing' && plan.agreementNo) await syncAgreement(ctx, ctx.actor, plan.agreementNo)
  return buildAutoView(ctx)
}

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
