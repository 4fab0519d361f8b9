import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { minorText } from '#platform/shared/money.ts'
import { disputeNow } from '#features/payments/server/door.ts'
import { disputesContract } from '../../contract-disputes.console.ts'
import { disputedOrder } from './data.ts'
import { factsOf } from './facts.ts'

type C = typeof disputesContract

async function readDispute(ctx: Ctx, { channelType, disputeId }: InputOf<C['dispute']>): Promise<ReplyOf<C['dispute']>> {
  const { dispute, evidence, isOpen } = (await disputeNow(ctx, ctx.db, channelType, disputeId)) ?? fail('NOT_FOUND')
  const order = (await disputedOrder(ctx.db, dispute.id)) ?? fail('NOT_FOUND')
  return {
    ...{ orderNo: order.order_no, userId: order.user_id, state: dispute.state, payAmount: minorText(dispute.minor), currency: dispute.currency },
    ...{ at: dispute.created_at.toISOString(), closedAt: dispute.closed_at?.toISOString() ?? null, dueAt: dispute.due_at?.toISOString() ?? null, isOpen },
    facts: evidence?.facts ?? (await factsOf(ctx.db, order, ctx.config.BRAND_NAME)),
    evidence: evidence
      ? {
          ...{ no: evidence.evidence_no, words: evidence.words, state: evidence.state, refusal: evidence.refusal },
          ...{ by: evidence.asked_by, at: evidence.asked_at.toISOString() },
        }
      : null,
  }
}

export const disputeRoutes = bind(disputesContract, { dispute: readDispute })
