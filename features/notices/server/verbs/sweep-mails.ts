import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { deleteEndedMails, endOverdue } from '../data.ts'
import { keepDays, keepSandboxDays } from '../settings.ts'
import { deleteSandboxMails } from '../vendors/index.ts'

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)

/** Ends mails that came too late (their content is emptied) and forgets old records. */
export async function sweepMails(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const overdue = await endOverdue(deps.db, now)
  if (overdue) {
    countEvent('mail_expired')
    deps.log.warn({ overdue }, 'mails could not be sent in time')
  }
  await deleteEndedMails(deps.db, daysBefore(now, await deps.settings.get(keepDays)))
  await deleteSandboxMails(deps.db, daysBefore(now, await deps.settings.get(keepSandboxDays)))
}
