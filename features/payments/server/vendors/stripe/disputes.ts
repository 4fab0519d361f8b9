import type { ChannelTools, EvidenceOutcome, EvidenceCall } from '../port.ts'
import { callPaymentsStripe, StripeFailure, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'

export const EVIDENCE_KEY = 'evidence_no'
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
