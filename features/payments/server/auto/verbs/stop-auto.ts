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
