import type Stripe from 'stripe'
import { sumNano } from '#platform/shared/money.ts'
import type { DisputeCall, IssuerDispute } from '../port.ts'
import { IssuerRefusal } from '../port.ts'
import { callStripeIssuing } from './client.ts'

const STATES = ['unsubmitted', 'submitted', 'won', 'lost', 'expired'] as const

export async function fetchStripeIssuingDispute(stripe: Stripe, ref: string): Promise<IssuerDispute> {
  return toIssuerDispute(await callStripeIssuing('retrieve a dispute', () => stripe.issuing.disputes.retrieve(ref)))
}

/** Opens and submits a dispute; continues one left by an earlier try. */
export async function openStripeIssuingDispute(stripe: Stripe, call: DisputeCall): Promise<IssuerDispute> {
  const earlier = await callStripeIssuing('list disputes', () => stripe.issuing.disputes.list({ transaction: call.transactionRef, limit: 1 }))
  const [known] = earlier.data
  if (known && known.metadata['our_key'] !== call.key) throw new IssuerRefusal('already_disputed')
  const open = known ?? (await create(stripe, call))
  if (open.status !== 'unsubmitted') return toIssuerDispute(open)
  const submit = () => stripe.issuing.disputes.submit(open.id, {}, { idempotencyKey: `dispute.${call.key}.submit` })
  return toIssuerDispute(await callStripeIssuing('submit a dispute', submit, { writes: true }))
}

async function create(stripe: Stripe, call: DisputeCall): Promise<Stripe.Issuing.Dispute> {
  const { key, file } = call
  const upload = ({ name, type, body: data }: NonNullable<DisputeCall['file']>) =>
    stripe.files.create({ purpose: 'dispute_evidence', file: { data, name, type } }, { idempotencyKey: `dispute.${key}.file` })
  const uploaded = file && (await callStripeIssuing('upload evidence', () => upload(file), { writes: true }))
  const dispute = { transaction: call.transactionRef, amount: Number(call.minor), evidence: evidenceOf(call, uploaded?.id), metadata: { our_key: key } }
  return callStripeIssuing('create a dispute', () => stripe.issuing.disputes.create(dispute, { idempotencyKey: `dispute.${key}.open` }), { writes: true })
}

function evidenceOf({ reason, words }: DisputeCall, file: string | undefined): Stripe.Issuing.DisputeCreateParams.Evidence {
  const told = { explanation: words, ...(file ? { additional_documentation: file } : {}) }
  if (reason === 'not_as_described') return { reason: 'service_not_as_described', service_not_as_described: told }
  if (reason === 'canceled') return { reason, canceled: { ...told, cancellation_reason: words, product_type: 'service' } }
  if (reason === 'not_received') return { reason, not_received: { ...told, product_type: 'service' } }
  if (reason === 'other') return { reason, other: { ...told, product_type: 'service' } }
  return { reason, [reason]: told }
}

function toIssuerDispute(found: Stripe.Issuing.Dispute): IssuerDispute {
  const status = STATES.find((one) => one === found.status)
  if (!status) throw new Error('Stripe named a state of a dispute that we do not know')
  return {
    ref: found.id,
    transactionRef: typeof found.transaction === 'string' ? found.transaction : found.transaction.id,
    minor: BigInt(found.amount),
    status,
    credited: sumNano((found.balance_transactions ?? []).map((one) => BigInt(one.amount))) > 0n,
  }
}
