import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { deleteOldRecords } from '../data.ts'
import { keepComplaintDays, keepDays, keepVisitorDays } from '../settings.ts'

/** Deletes conversations and complaints after their retention time. */
export async function sweepOldRecords({ db, settings, clock }: Pick<Deps, 'db' | 'settings' | 'clock'>): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000)
  const before = {
    user: ago(await settings.get(keepDays)),
    visitor: ago(await settings.get(keepVisitorDays)),
    complaint: ago(await settings.get(keepComplaintDays)),
  }
  await transact(db, SYSTEM, async (tx) => {
    const gone = await deleteOldRecords(tx, before)
    if (gone) await tx.audit('support.old-forgotten', 'support', { conversations: gone })
  })
}
