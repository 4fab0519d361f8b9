import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { isRejected } from '#platform/shared/suppliers/supplier-error.ts'
import { pick } from '#platform/shared/pick.ts'
import * as data from '../../data.ts'
import { findChannelById, createChannelTools } from '../../vendors/index.ts'
import type { EvidenceOutcome } from '../../vendors/port.ts'
import { endEvidence, takeDueEvidence } from './data.ts'
import type { SentEvidence } from './data.ts'

const BATCH_SIZE = 5

/** Job: sends submitted evidence to its channel, retrying under one number until the channel has definitely accepted or refused it. */
export async function sendEvidence(deps: Deps): Promise<void> {
  for (const row of await takeDueEvidence(deps.db, BATCH_SIZE))
    await sendOne(deps, row).catch((error: unknown) => {
      countEvent('payments.evidence_unknown')
      deps.log.warn({ evidenceNo: row.evidenceNo, why: (error as Error).message }, 'evidence has no clear answer yet')
    })
}

async function sendOne(deps: Deps, row: SentEvidence): Promise<void> {
  const answer = await contestAtChannel(deps, row)
  crashPoint('payments.evidence-after-call')
  await transact(deps.db, SYSTEM, async (tx) => {
    // Lock the order first, as every writer of an order does.
    const order = await data.lockOrder(tx, row.orderId)
    if (!(await endEvidence(tx, row.evidenceNo, { state: answer.kind, refusal: answer.kind === 'refused' ? answer.reason : '' }))) return
    await tx.audit(`dispute.evidence-${answer.kind}`, `order:${order.orderNo}`, {
      ...{ evidenceNo: row.evidenceNo, dispute: row.disputeId },
      ...(answer.kind === 'refused' ? { reason: answer.reason } : {}),
    })
    // The next query fetches the channel's view of the dispute.
    await data.scheduleCheck(tx, order.id, order.now)
  })
}

async function contestAtChannel(deps: Deps, row: SentEvidence): Promise<EvidenceOutcome> {
  // First attempt only: an earlier one may have reached the channel, which has ruled since.
  if (row.disputeState !== 'open' && row.checks === 1) return { kind: 'refused', reason: 'the dispute is closed' }
  const channel = findChannelById(deps, row.channelType)
  if (!channel?.contest) return { kind: 'refused', reason: 'the channel takes none by this way' }
  crashPoint('payments.evidence-before-call')
  return channel.contest(createChannelTools(deps), { ...pick(row, 'evidenceNo', 'disputeId', 'words', 'facts') }).catch((error: unknown) => {
    if (!isRejected(error)) throw error
    return { kind: 'refused' as const, reason: error.detail || error.reason }
  })
}
