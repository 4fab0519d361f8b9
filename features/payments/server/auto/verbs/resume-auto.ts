import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { lockAgreement } from '../../plans/data-agreements.ts'
import { activatePlan, lockPlan } from '../../plans/data-plans.ts'
import { requireAutoRechargeOpen } from '../terms.ts'
import { buildAutoView } from './auto-recharge.ts'

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
