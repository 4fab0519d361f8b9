import type { ChannelTools, Contested, EvidenceCall } from '../port.ts'
import { ask, StripeFailure, stripeOf } from './client.ts'
import type { Account } from './config.ts'

export const EVIDENCE_KEY = 'evidence_no'
/** https://docs.stripe.com/api/disputes/evidence_object: each text has a maximum of 20,000 characters. */
const LONGEST = 20_000
const cut = (text: string) => text.slice(0, LONGEST)

/**
 * Submits evidence: `POST /v1/disputes/:id` with `submit`, which can be done once. Stripe forgets an idempotency key after a day; our
 * number in the dispute's metadata is there for ever. https://docs.stripe.com/api/disputes/update
 */
export async function contest(account: Account, tools: ChannelTools, call: EvidenceCall): Promise<Contested> {
  const { disputes } = stripeOf(account, tools)
  const { facts } = call
  try {
    const standing = await ask('retrieve a dispute', () => disputes.retrieve(call.disputeId))
    if (standing.metadata?.[EVIDENCE_KEY] === call.evidenceNo && (standing.evidence_details?.submission_count ?? 0) > 0) return { kind: 'taken' }
    await ask('submit evidence', () =>
      disputes.update(
        call.disputeId,
        {
          evidence: {
            product_description: cut(facts.product),
            service_date: facts.paidOn,
            access_activity_log: cut(`${facts.use}\n\n${facts.access}`),
            uncategorized_text: cut(`${call.words}\n\n${facts.receipt}`),
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
