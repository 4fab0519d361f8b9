import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createChannelTools } from '../../vendors/index.ts'
import { endAgreement, markAgreementEnding, lockAgreement, takeDueAgreements } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { endPlan, lockPlan, selectExpiredStops } from '../../plans/data-plans.ts'
import { findAgreementChannel } from '../terms.ts'
import { toAgreementRef, syncAgreement } from './sync-agreement.ts'

const BATCH_SIZE = 8

/** Job: ends stops that can no longer be undone, revokes agreements at their channels, and queries those whose notice may be lost. */
export async function workAgreements(deps: Deps): Promise<void> {
  for (const { userId } of await selectExpiredStops(deps.db, 100)) await endStop(deps, userId)
  for (;;) {
    const due = await takeDueAgreements(deps.db, BATCH_SIZE)
    await Promise.all(
      due.map((row) =>
        (row.state === 'ending' ? revoke(deps, row) : syncAgreement(deps, SYSTEM, row.agreementNo)).catch((error: unknown) =>
          deps.log.error({ err: error, agreementNo: row.agreementNo }, 'an agreement could not be worked on'),
        ),
      ),
    )
    if (due.length < BATCH_SIZE) return
  }
}

async function endStop(deps: Deps, userId: string): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const plan = await lockPlan(tx, userId)
    if (plan.state !== 'stopped' || plan.undoUntil! > plan.now) return
    await endPlan(tx, userId)
    if (plan.agreementNo) await markAgreementEnding(tx, plan.agreementNo, 'user')
    await tx.audit('auto.off', `user:${userId}`)
  })
}

/** Revokes the agreement at the channel until the channel confirms. A charge already sent no longer needs it. */
async function revoke(deps: Deps, row: AgreementRow): Promise<void> {
  const at = findAgreementChannel(deps, row.channelType)
  if (!at) return
  await at.agreements.revoke(createChannelTools(deps), toAgreementRef(deps, row))
  crashPoint('payments.auto-after-revoke')
  await transact(deps.db, SYSTEM, async (tx) => {
    await lockPlan(tx, row.userId)
    if ((await lockAgreement(tx, row.agreementNo)).state !== 'ending') return
    await endAgreement(tx, row.agreementNo, 'user')
    await tx.audit('agreement.ended', `agreement:${row.agreementNo}`, { by: row.endedBy })
  })
}
