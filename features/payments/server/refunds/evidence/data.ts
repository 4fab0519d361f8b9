import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { PaymentsEvidenceRow } from '../../tables.ts'
import type { EvidenceFacts } from '../../vendors/port.ts'

export interface EvidenceRow extends Omit<PaymentsEvidenceRow, 'disputePk' | 'facts' | 'nextCheckAt' | 'endedAt'> {
  readonly facts: EvidenceFacts
}
/** Evidence with the channel's identifiers of the dispute. */
export interface SentEvidence extends EvidenceRow {
  readonly channelType: number
  readonly disputeId: string
  readonly disputeState: 'open' | 'won' | 'lost'
  readonly orderId: bigint
}

/** Returns undefined if evidence was submitted before. The database refuses evidence for a closed dispute. */
export async function insertEvidence(
  tx: Tx,
  row: Pick<EvidenceRow, 'evidenceNo' | 'words' | 'facts' | 'askedBy'> & { disputePk: bigint },
): Promise<EvidenceRow | undefined> {
  return first(
    await tx.query<EvidenceRow>(
      `insert into payments_evidence (evidence_no, dispute_pk, words, facts, asked_by) values ($1,$2,$3,$4,$5) on conflict (dispute_pk) do nothing returning *`,
      [row.evidenceNo, row.disputePk, row.words, JSON.stringify(row.facts), row.askedBy],
    ),
  )
}

export async function selectDisputeEvidence(sql: Sql, disputePk: bigint): Promise<EvidenceRow | undefined> {
  return first(await sql.query<EvidenceRow>('select * from payments_evidence where dispute_pk = $1', [disputePk]))
}

/** Claims due evidence and reschedules each row, so that a crashed process only delays it. */
export async function takeDueEvidence(sql: Sql, limit: number): Promise<SentEvidence[]> {
  return sql.query<SentEvidence>(
    `with due as (select evidence_no from payments_evidence where next_check_at <= now() order by next_check_at limit $1 for update skip locked),
    taken as (update payments_evidence e set next_check_at = now() + make_interval(secs => least(60 * 2 ^ least(e.checks, 6), 3600)), checks = e.checks + 1
      from due where e.evidence_no = due.evidence_no returning e.*)
    select t.*, d.channel_type, d.dispute_id, d.state as dispute_state, d.order_id from taken t join payments_disputes d on d.id = t.dispute_pk`,
    [limit],
  )
}

/** Once: returns false if another transaction has ended it. */
export async function endEvidence(
  tx: Tx,
  evidenceNo: string,
  { state, refusal }: { readonly state: 'taken' | 'refused'; readonly refusal: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update payments_evidence set state = $2, refusal = $3, ended_at = clock_timestamp(), next_check_at = null where evidence_no = $1 and state = 'waiting' returning 1`,
    [evidenceNo, state, refusal.slice(0, 200)],
  )
  return rows.length === 1
}
