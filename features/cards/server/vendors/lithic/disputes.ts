import type Lithic from 'lithic'
import type { Dispute, DisputeCreateParams } from 'lithic/resources/disputes.js'
import type { DisputeCall, IssuerDispute } from '../port.ts'
import { IssuerRefusal } from '../port.ts'
import { callLithic, loadLithic } from './client.ts'

const REASONS: Readonly<Record<DisputeCall['reason'], DisputeCreateParams['reason']>> = {
  canceled: 'CANCELLED',
  duplicate: 'DUPLICATED',
  fraudulent: 'FRAUD_CARD_NOT_PRESENT',
  not_received: 'GOODS_SERVICES_NOT_RECEIVED',
  not_as_described: 'GOODS_SERVICES_NOT_AS_DESCRIBED',
  other: 'OTHER',
}

export async function fetchLithicDispute(lithic: Lithic, ref: string): Promise<IssuerDispute> {
  return toIssuerDispute(await callLithic('retrieve a dispute', () => lithic.disputes.retrieve(ref)))
}

/**
 * Submits a dispute. Lithic has no key for this call and allows one dispute per transaction: one made by an earlier try carries our key in
 * its note.
 */
export async function openLithicDispute(lithic: Lithic, call: DisputeCall): Promise<IssuerDispute> {
  const [token = ''] = call.transactionRef.split('.')
  const mark = `[${call.key}]`
  const make = async () => {
    let open: Dispute | undefined
    for await (const known of lithic.disputes.list({ transaction_tokens: [token] })) open ??= known
    if (open && !open.customer_note?.endsWith(mark)) throw new IssuerRefusal('already_disputed')
    open ??= await lithic.disputes.create({
      transaction_token: token,
      amount: Number(call.minor),
      reason: REASONS[call.reason],
      customer_note: `${call.words} ${mark}`,
    })
    if (call.file) await upload(lithic, open.token, call.file)
    return toIssuerDispute(open)
  }
  return callLithic('open a dispute', make, { writes: true })
}

async function upload(lithic: Lithic, token: string, { name, type, body }: NonNullable<DisputeCall['file']>): Promise<void> {
  for await (const known of lithic.disputes.listEvidences(token)) if (known.filename === name && known.upload_status === 'UPLOADED') return
  await lithic.disputes.uploadEvidence(token, await loadLithic().toFile(body, name, { type }))
}

const STATES: Readonly<Record<Dispute['status'], IssuerDispute['status']>> = {
  NEW: 'submitted',
  PENDING_CUSTOMER: 'unsubmitted',
  SUBMITTED: 'submitted',
  REPRESENTMENT: 'submitted',
  PREARBITRATION: 'submitted',
  ARBITRATION: 'submitted',
  CASE_WON: 'won',
  CASE_CLOSED: 'lost',
}

/** Lithic credits nothing before a case is won. */
function toIssuerDispute(found: Dispute): IssuerDispute {
  return {
    ref: found.token,
    transactionRef: found.transaction_token,
    minor: BigInt(found.amount),
    status: found.resolution_reason === 'PAST_FILING_DATE' ? 'expired' : STATES[found.status],
    credited: found.status === 'CASE_WON',
  }
}
