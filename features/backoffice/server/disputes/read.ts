import { bind } from '#platform/server/feature.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatMinor } from '#platform/shared/money.ts'
import { loadDisputeStatus } from '#features/payments/server/door.ts'
import { disputesContract } from '../../contract-disputes.console.ts'
import { findDisputedOrder } from './data.ts'
import { buildEvidenceFacts } from './facts.ts'

type C = typeof disputesContract

async function readDispute(ctx: Ctx, { channelType, disputeId }: InputOf<C['dispute']>): Promise<ReplyOf<C['dispute']>> {
  const { dispute, evidence, isOpen } = (await loadDisputeStatus(ctx, ctx.db, { channelType, disputeId })) ?? fail('NOT_FOUND')
  const order = (await findDisputedOrder(ctx.db, dispute.id)) ?? fail('NOT_FOUND')
  return {
    ...{ orderNo: order.orderNo, userId: order.userId, state: dispute.state, payAmount: formatMinor(dispute.minor), currency: dispute.currency },
    ...{ at: dispute.createdAt.toISOString(), closedAt: dispute.closedAt?.toISOString() ?? null, dueAt: dispute.dueAt?.toISOString() ?? null, isOpen },
    facts: evidence?.facts ?? (await buildEvidenceFacts(ctx.db, order, ctx.config.BRAND_NAME)),
    evidence: evidence
      ? {
          ...{ no: evidence.evidenceNo, words: evidence.words, state: evidence.state, refusal: evidence.refusal },
          ...{ by: evidence.askedBy, at: evidence.askedAt.toISOString() },
        }
      : null,
  }
}

export const disputeRoutes = bind(disputesContract, { dispute: readDispute })
