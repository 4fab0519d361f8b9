import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { leaveAgreement } from '../../plans/data-agreements.ts'
import { liveCharge } from '../../plans/data-charges.ts'
import { endPlan, lockPlan, stopPlan } from '../../plans/data-plans.ts'
import { tellPlan } from '../../plans/news.ts'
import { UNDO_MINUTES } from '../../plans/rules.ts'
import { viewOf } from './auto-recharge.ts'
import { dropAnnounced } from './send-charge.ts'

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
      await leaveAgreement(tx, plan.agreement_no!, 'user')
      await tx.audit('auto.given_up', `user:${ctx.userId}`)
    } else if (plan.state === 'active' || plan.state === 'attention') {
      await stopPlan(tx, ctx.userId, UNDO_MINUTES)
      await tellPlan(tx, ctx.userId, 'auto.stopped', { undoMinutes: UNDO_MINUTES })
    }
  })
  const live = await liveCharge(ctx.db, ctx.userId)
  if (live?.state === 'announced') await dropAnnounced(ctx, live.order_id)
  return viewOf(ctx)
}
