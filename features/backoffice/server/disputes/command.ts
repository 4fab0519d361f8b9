import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { loadDisputeStatus, submitDisputeEvidence } from '#features/payments/server/door.ts'
import { disputeKey } from '../../contract-disputes.console.ts'
import { findDisputedOrder } from './data.ts'
import { buildEvidenceFacts } from './facts.ts'

/** Submits evidence once, because a channel accepts it only once. */
export const submitEvidenceCommand = defineCommand({
  name: 'dispute.submit',
  summary: 'Hands evidence in against a dispute: the operator’s words, and what is known of the order. Once; the channel rules weeks later',
  permission: 'payments.decide',
  money: 'own',
  input: z.object({ ...disputeKey, words: z.string().trim().min(20).max(5000) }),
  subject: async ({ db, config, clock }, { channelType, disputeId }) =>
    (await loadDisputeStatus({ config, clock }, db, { channelType, disputeId })) ? `dispute:${channelType}:${disputeId}` : fail('NOT_FOUND'),
  weigh: async ({ db, config, clock }, { channelType, disputeId }) => {
    const known = await loadDisputeStatus({ config, clock }, db, { channelType, disputeId })
    const order = known && (await findDisputedOrder(db, known.dispute.id))
    return order ? { userId: order.userId, amount: order.amountNano } : {}
  },
  look: async ({ tx, deps }, { channelType, disputeId }) => {
    const known = await loadDisputeStatus(deps, tx, { channelType, disputeId })
    return { state: known?.dispute.state ?? null, dueAt: known?.dispute.dueAt?.toISOString() ?? null, handedIn: known?.evidence !== undefined }
  },
  loose: ['dueAt'],
  run: async ({ tx, deps, by, reason }, { channelType, disputeId, words }) => {
    const { dispute } = (await loadDisputeStatus(deps, tx, { channelType, disputeId })) ?? fail('NOT_FOUND')
    const order = (await findDisputedOrder(tx, dispute.id)) ?? fail('NOT_FOUND')
    const facts = await buildEvidenceFacts(tx, order, deps.config.BRAND_NAME)
    const evidenceNo = await submitDisputeEvidence(deps, tx, { by, channelType, disputeId, words, facts })
    await tx.audit('dispute.evidence-handed-in', `order:${order.orderNo}`, { evidenceNo, dispute: disputeId, reason })
    return { evidence: evidenceNo }
  },
})
