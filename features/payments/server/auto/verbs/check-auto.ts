import type { Handler } from '#platform/server/feature.ts'
import type { autoContract } from '../../../contract-auto.ts'
import { selectAutoPlan } from '../../plans/data-plans.ts'
import { buildAutoView } from './auto-recharge.ts'
import { syncAgreement } from './sync-agreement.ts'

/** Called on return from the channel's page, when its notice may not have arrived yet. */
export const checkAuto: Handler<typeof autoContract.checkAuto> = async (ctx) => {
  const plan = await selectAutoPlan(ctx.db, ctx.userId)
  if (plan?.state === 'signing' && plan.agreementNo) await syncAgreement(ctx, ctx.actor, plan.agreementNo)
  return buildAutoView(ctx)
}
