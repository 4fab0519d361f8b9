import type { ChannelTools } from '../port.ts'
import type { Trade } from './data.ts'

/** The sandbox's book of refunds, which we request, and of chargebacks, which payers' banks claim. */
export interface Refund {
  readonly refundNo: string
  readonly txn: string
  readonly token: string
  readonly minor: bigint
  readonly state: 'pending' | 'succeeded' | 'stuck' | 'failed'
  readonly notifyUrl: string
  readonly createdAt: Date
  readonly turnsTo: 'succeeded' | 'failed' | null
  readonly turnsAt: Date | null
}
export interface Dispute {
  readonly disputeId: string
  readonly txn: string
  readonly token: string
  readonly minor: bigint
  readonly state: 'open' | 'won' | 'lost'
  readonly createdAt: Date
  readonly turnsTo: 'won' | 'lost' | null
  readonly turnsAt: Date | null
}
export interface Line {
  readonly kind: 'payment' | 'refund' | 'dispute'
  readonly tradeNo: string
  readonly txn: string
  readonly refundNo: string
  readonly minor: bigint
  readonly currency: string
  readonly at: Date
}
type Query = ChannelTools['query']

/** Writes a refund if its number is new and the payment still has that much. */
export async function insertRefund(query: Query, refund: Refund): Promise<boolean> {
  const rows = await query<{ done: boolean }>('select payments_sandbox_refund(row($1,$2,$3,$4,$5,$6,$7,$8,$9)::payments_sandbox_refunds) as done', [
    refund.refundNo,
    refund.txn,
    refund.token,
    refund.minor,
    refund.state,
    refund.notifyUrl,
    refund.createdAt,
    refund.turnsTo,
    refund.turnsAt,
  ])
  return rows[0]?.done === true
}

export async function refundByNo(query: Query, refundNo: string): Promise<Refund | undefined> {
  return (await query<Refund>('select * from payments_sandbox_refunds where refund_no = $1', [refundNo]))[0]
}

export async function tradeOfPayment(query: Query, txn: string): Promise<Trade | undefined> {
  return (await query<Trade>('select t.* from payments_sandbox_trades t join payments_sandbox_payments p on p.token = t.token where p.txn = $1', [txn]))[0]
}

/** Moves each due refund to its next state, once. */
export async function turnRefunds(query: Query, now: Date): Promise<Refund[]> {
  return query<Refund>('update payments_sandbox_refunds set state = turns_to, turns_to = null, turns_at = null where turns_at <= $1 returning *', [now])
}

export async function closeTrade(query: Query, token: string): Promise<void> {
  await query(`update payments_sandbox_trades set state = 'closed', pay_due_at = null where token = $1 and state in ('open','declined')`, [token])
}

export async function insertDispute(query: Query, dispute: Dispute): Promise<void> {
  await query(
    'insert into payments_sandbox_disputes (dispute_id, txn, token, minor, state, created_at, turns_to, turns_at) values ($1,$2,$3,$4,$5,$6,$7,$8) on conflict do nothing',
    [dispute.disputeId, dispute.txn, dispute.token, dispute.minor, dispute.state, dispute.createdAt, dispute.turnsTo, dispute.turnsAt],
  )
}

export async function disputesOf(query: Query, token: string, now: Date): Promise<Dispute[]> {
  return query<Dispute>('select * from payments_sandbox_disputes where token = $1 and created_at <= $2 order by created_at', [token, now])
}

/** Stores evidence, idempotent per number. Returns false for a second number, and for a dispute that is decided or older than `since`. */
export async function keepEvidence(
  query: Query,
  given: { disputeId: string; evidenceNo: string; evidence: object; ruling: 'won' | 'lost'; ruledAt: Date; since: Date },
): Promise<boolean> {
  const rows = await query(
    `update payments_sandbox_disputes set evidence_no = $2, evidence = $3,
      turns_to = coalesce(turns_to, case when evidence_no is null then $4 end), turns_at = coalesce(turns_at, case when evidence_no is null then $5::timestamptz end)
    where dispute_id = $1 and (evidence_no = $2 or evidence_no is null and state = 'open' and created_at > $6) returning 1 as kept`,
    [given.disputeId, given.evidenceNo, JSON.stringify(given.evidence), given.ruling, given.ruledAt, given.since],
  )
  return rows.length === 1
}

export async function turnDisputes(query: Query, now: Date): Promise<Dispute[]> {
  return query<Dispute>('update payments_sandbox_disputes set state = turns_to, turns_to = null, turns_at = null where turns_at <= $1 returning *', [now])
}

/** All movements between two instants, as lines of a settlement file. */
export async function linesOf(query: Query, from: Date, until: Date): Promise<Line[]> {
  return query<Line>(
    `select 'payment' as kind, t.trade_no, p.txn, '' as refund_no, p.minor, p.currency, p.paid_at as at
      from payments_sandbox_payments p join payments_sandbox_trades t on t.token = p.token where p.paid_at >= $1 and p.paid_at < $2
    union all select 'refund', t.trade_no, r.txn, r.refund_no, r.minor, t.currency, r.created_at
      from payments_sandbox_refunds r join payments_sandbox_trades t on t.token = r.token where r.created_at >= $1 and r.created_at < $2 and r.state = 'succeeded'
    union all select 'dispute', t.trade_no, d.txn, '', d.minor, t.currency, d.created_at
      from payments_sandbox_disputes d join payments_sandbox_trades t on t.token = d.token where d.created_at >= $1 and d.created_at < $2
    order by at, txn`,
    [from, until],
  )
}
