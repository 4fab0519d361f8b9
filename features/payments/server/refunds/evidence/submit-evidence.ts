import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { findChannelById } from '../../vendors/index.ts'
import type { EvidenceFacts } from '../../vendors/port.ts'
import { selectDisputeByNo } from '../../states/data-refunds.ts'
import type { DisputeRow } from '../../states/data-refunds.ts'
import { selectDisputeEvidence, insertEvidence } from './data.ts'
import type { EvidenceRow } from './data.ts'

export interface DisputeStatus {
  readonly dispute: DisputeRow
  readonly evidence: EvidenceRow | undefined
  /** True if the channel accepts evidence over its API, none was submitted, and the deadline has not passed. */
  readonly isOpen: boolean
}

export async function loadDisputeStatus(
  deps: Pick<Deps, 'config' | 'clock'>,
  sql: Sql,
  { channelType, disputeId }: { readonly channelType: number; readonly disputeId: string },
): Promise<DisputeStatus | undefined> {
  const dispute = await selectDisputeByNo(sql, channelType, disputeId)
  if (!dispute) return undefined
  const evidence = await selectDisputeEvidence(sql, dispute.id)
  const isLate = dispute.dueAt !== null && dispute.dueAt <= deps.clock.now()
  return { dispute, evidence, isOpen: dispute.state === 'open' && !evidence && !isLate && findChannelById(deps, channelType)?.contest !== undefined }
}

/** Submits evidence against a dispute, once; a worker sends it. Errors: NOT_FOUND, DISPUTE_CLOSED. */
export async function submitDisputeEvidence(
  deps: Pick<Deps, 'config' | 'clock'>,
  tx: Tx,
  {
    by,
    channelType,
    disputeId,
    words,
    facts,
  }: { readonly by: Actor; readonly channelType: number; readonly disputeId: string; readonly words: string; readonly facts: EvidenceFacts },
): Promise<string> {
  const known = (await loadDisputeStatus(deps, tx, { channelType, disputeId })) ?? fail('NOT_FOUND')
  if (!known.isOpen) fail('DISPUTE_CLOSED')
  const evidenceNo = `E${toShanghaiDay(deps.clock.now()).replaceAll('-', '')}-${createRandomCode(12)}`
  const row = await insertEvidence(tx, { evidenceNo, disputePk: known.dispute.id, words, facts, askedBy: by.id })
  if (!row) fail('DISPUTE_CLOSED')
  return evidenceNo
}
