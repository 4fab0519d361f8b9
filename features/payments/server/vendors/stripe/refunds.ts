import type Stripe from 'stripe'
import type { ChannelTools, RefundCall, RefundFact, RefundRef, EvidenceOutcome, EvidenceCall } from '../port.ts'
import { callPaymentsStripe, StripeFailure, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'

const EVIDENCE_KEY = 'evidence_no'
/** https://docs.stripe.com/api/disputes/evidence_object: each text has a maximum of 20,000 characters. */
const MAX_TEXT_LENGTH = 20_000
const truncate = (text: string) => text.slice(0, MAX_TEXT_LENGTH)

/**
 * Submits evidence: `POST /v1/disputes/:id` with `submit`, which is possible once. Stripe forgets an idempotency key after a day; our
 * number in the dispute's metadata is permanent. https://docs.stripe.com/api/disputes/update
 */
export async function contestStripeDispute(account: PaymentsStripeAccount, tools: ChannelTools, call: EvidenceCall): Promise<EvidenceOutcome> {
  const { disputes } = createPaymentsStripe(account, tools)
  const { facts } = call
  try {
    const standing = await callPaymentsStripe('retrieve a dispute', () => disputes.retrieve(call.disputeId))
    if (standing.metadata?.[EVIDENCE_KEY] === call.evidenceNo && (standing.evidence_details?.submission_count ?? 0) > 0) return { kind: 'taken' }
    await callPaymentsStripe('submit evidence', () =>
      disputes.update(
        call.disputeId,
        {
          evidence: {
            product_description: truncate(facts.product),
            service_date: facts.paidOn,
            access_activity_log: truncate(`${facts.use}\n\n${facts.access}`),
            uncategorized_text: truncate(`${call.words}\n\n${facts.receipt}`),
          },
          metadata: { [EVIDENCE_KEY]: call.evidenceNo },
          submit: true,
        },
        { idempotencyKey: call.evidenceNo },
      ),
    )
    return { kind: 'taken' }
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal) return { kind: 'refused', reason: error.refusal }
    throw error
  }
}

export const REFUND_KEY = 'refund_no'

/** Stripe forgets an idempotency key after a day; our number in the refund's metadata is permanent. */
export async function sendStripeRefund(account: PaymentsStripeAccount, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const standing = await queryStripeRefund(account, tools, call)
  if (standing.status !== 'not_found') return standing
  try {
    const refund = await callPaymentsStripe('refund', () =>
      createPaymentsStripe(account, tools).refunds.create(
        { payment_intent: call.paid.channelTxn, amount: Number(call.minor), metadata: { [REFUND_KEY]: call.refundNo }, reason: 'requested_by_customer' },
        { idempotencyKey: call.refundNo },
      ),
    )
    return toRefundFact(refund)
  } catch (error) {
    if (error instanceof StripeFailure && error.refusal) return { status: 'refused', reason: error.refusal }
    throw error
  }
}

export async function queryStripeRefund(account: PaymentsStripeAccount, tools: ChannelTools, ref: RefundRef): Promise<RefundFact> {
  const refund = await callPaymentsStripe('look for a refund', async () => {
    for await (const each of createPaymentsStripe(account, tools).refunds.list({ payment_intent: ref.paid.channelTxn, limit: 100 })) {
      if (each.metadata?.[REFUND_KEY] === ref.refundNo) return each
    }
    return undefined
  })
  if (!refund) return { status: 'not_found' }
  if (BigInt(refund.amount) !== ref.minor) throw new Error('Stripe has another amount under this number')
  return toRefundFact(refund)
}

function toRefundFact(refund: Stripe.Refund): RefundFact {
  const status =
    refund.status === 'succeeded'
      ? 'succeeded'
      : refund.status === 'failed' || refund.status === 'canceled'
        ? 'failed'
        : refund.status === 'requires_action'
          ? 'stuck'
          : 'pending'
  return { status, channelRefund: refund.id, ...(refund.failure_reason ? { reason: refund.failure_reason } : {}) }
}
