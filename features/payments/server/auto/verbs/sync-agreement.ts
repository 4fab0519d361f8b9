import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { createChannelTools } from '../../vendors/index.ts'
import type { AgreementFact, AgreementRef, Channel, ChannelNotice } from '../../vendors/port.ts'
import {
  selectAgreement,
  endAgreement,
  insertAgreementNotice,
  lapseAgreement,
  markAgreementEnding,
  lockAgreement,
  signAgreement,
} from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { activatePlan, endPlan, toAutoPlanLimits, lockPlan, warnPlan } from '../../plans/data-plans.ts'
import type { AutoPlanRow } from '../../plans/data-plans.ts'
import { emitPlanEvent } from '../../plans/emit-auto-event.ts'
import { sealSecret, unsealSecret } from '../seal.ts'
import { findAgreementChannel, formatLimits } from '../terms.ts'

/** Queries the channel about an agreement and applies the answer. Does nothing if the query fails. */
export async function syncAgreement(deps: Deps, actor: Actor, agreementNo: string): Promise<void> {
  const row = await selectAgreement(deps.db, agreementNo)
  const fact = row && (await queryAgreementFact(deps, row))
  if (fact) await transact(deps.db, actor, (tx) => applyFact(deps, tx, { agreementRow: row, fact }))
}

/** Handles a notice, which only triggers a query. Returns false if the channel should resend it. */
export async function receiveAgreementNotice(deps: Deps, channel: Channel, { noticeId, agreementNo = '' }: ChannelNotice): Promise<boolean> {
  const row = await selectAgreement(deps.db, agreementNo)
  if (row?.channelType !== channel.manifest.id) return false
  const fact = await queryAgreementFact(deps, row)
  if (!fact) return false
  await transact(deps.db, { kind: 'channel', id: channel.manifest.name }, async (tx) => {
    await lockPlan(tx, row.userId)
    if (!(await insertAgreementNotice(tx, channel.manifest.id, { noticeId, agreementNo }))) return
    await applyFact(deps, tx, { agreementRow: row, fact })
    await tx.audit('agreement.noticed', `agreement:${agreementNo}`, { noticeId })
  })
  return true
}

export function toAgreementRef(deps: Deps, row: AgreementRow): AgreementRef {
  return {
    agreementNo: row.agreementNo,
    transactionType: row.transactionType,
    ...(row.sealed ? { secret: unsealSecret(deps.secretKeys, row.agreementNo, row.sealed) } : {}),
  }
}

async function queryAgreementFact(deps: Deps, row: AgreementRow): Promise<AgreementFact | undefined> {
  try {
    return await findAgreementChannel(deps, row.channelType)?.agreements.lookUp(createChannelTools(deps), toAgreementRef(deps, row))
  } catch (error) {
    deps.log.warn({ err: error, agreementNo: row.agreementNo }, 'a channel could not be asked about an agreement')
    return undefined
  }
}

/** Notices may come in any order: the state is derived from the channel's answer and the user's current intent. */
async function applyFact(
  deps: Deps,
  tx: Tx,
  { agreementRow: { agreementNo, userId }, fact }: { readonly agreementRow: AgreementRow; readonly fact: AgreementFact },
): Promise<void> {
  const plan = await lockPlan(tx, userId)
  const row = await lockAgreement(tx, agreementNo)
  const isWanted = plan.agreementNo === agreementNo
  if (fact.status === 'active') return applySignature(deps, tx, { plan, row, fact })
  const isOver = fact.status === 'ended' || row.expiresAt <= row.now
  if (row.state === 'signing' && isOver) {
    await lapseAgreement(tx, agreementNo)
    if (isWanted && plan.state === 'signing') await endPlan(tx, userId)
    await tx.audit('agreement.lapsed', `agreement:${agreementNo}`)
  }
  // An answer fetched before the signature may still say "open"; only "ended" ends the agreement.
  if (row.state === 'active' && fact.status === 'ended') {
    await endAgreement(tx, agreementNo, 'channel')
    if (!isWanted || plan.state === 'off') return
    if (plan.state === 'stopped') return endPlan(tx, userId)
    await warnPlan(tx, userId, 'ended')
    await emitPlanEvent(tx, userId, { event: 'auto.ended' })
  }
}

async function applySignature(
  deps: Deps,
  tx: Tx,
  { plan, row, fact }: { readonly plan: AutoPlanRow; readonly row: AgreementRow; readonly fact: Extract<AgreementFact, { status: 'active' }> },
): Promise<void> {
  if (row.state === 'signing' && plan.agreementNo === row.agreementNo && plan.state === 'signing') {
    await signAgreement(tx, row.agreementNo, { sealed: sealSecret(deps.secretKey, row.agreementNo, fact.secret), label: fact.label })
    await activatePlan(tx, row.userId)
    return emitPlanEvent(tx, row.userId, { event: 'auto.started', facts: { ...formatLimits(toAutoPlanLimits(plan)!), label: fact.label } })
  }
  // Signed after its owner had cancelled it: it must be revoked at the channel.
  if (row.state === 'signing' || row.state === 'lapsed') await markAgreementEnding(tx, row.agreementNo, 'house')
}
