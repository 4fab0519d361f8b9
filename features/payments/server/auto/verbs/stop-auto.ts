import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { markAgreementEnding } from '../../plans/data-agreements.ts'
import { selectLiveCharge } from '../../plans/data-charges.ts'
import { endPlan, lockPlan, stopPlan } from '../../plans/data-plans.ts'
import { emitPlanEvent } from '../../plans/emit-auto-event.ts'
import { STOP_UNDO_MINUTES } from '../../plans/rules.ts'
import { buildAutoView } from './auto-recharge.ts'
import { cancelAnnouncedCharge } from './send-charge.ts'

/**
 * One press. From its commit on no charge leaves: each is judged by this row in the transaction that lets it go. What is
 * announced is dropped, what has left is settled.
 */
export const stopAuto: Handler<typeof autoContract.stopAuto> = async (ctx) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    const plan = await lockPlan(tx, ctx.userId)
    if (plan.state === 'signing') {
      // Nothing is stored yet, so there is nothing to come back to.
      await endPlan(tx, ctx.userId)
      await markAgreementEnding(tx, plan.agreement_no!, 'user')
      await tx.audit('auto.given_up', `user:${ctx.userId}`)
    } else if (plan.state === 'active' || plan.state === 'attention') {
      await stopPlan(tx, ctx.userId, STOP_UNDO_MINUTES)
      await emitPlanEvent(tx, ctx.userId, 'auto.stopped', { undoMinutes: STOP_UNDO_MINUTES })
    }
  })
  const live = await selectLiveCharge(ctx.db, ctx.userId)
  if (live?.state === 'announced') await cancelAnnouncedCharge(ctx, live.order_id)
  return buildAutoView(ctx)
}
