import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { deleteEnded, endOverdue, deleteSmsHours } from '../data.ts'
import { clearResendContent } from '../resending/data.ts'
import { keepDays, keepSandboxDays, resendDays } from '../settings.ts'
import { deleteSandboxMails, deleteSandboxSms } from '../vendors/index.ts'

const subtractDays = (now: Date, days: number) => new Date(now.getTime() - days * 86_400_000)

/** Ends expired notices and clears their content; deletes old records, and the kept content of mails that can no longer be resent. */
export async function sweepNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const keep = subtractDays(now, await deps.settings.get(keepDays))
  for (const kind of ['mail', 'sms'] as const) {
    const overdue = await endOverdue(deps.db, kind, now)
    if (overdue) {
      countEvent(`${kind}_expired`)
      deps.log.warn({ kind, overdue }, 'notices could not be sent in time')
    }
    await deleteEnded(deps.db, kind, keep)
  }
  await clearResendContent(deps.db, subtractDays(now, await deps.settings.get(resendDays)))
  await deleteSmsHours(deps.db, subtractDays(now, 2))
  const keepSandbox = subtractDays(now, await deps.settings.get(keepSandboxDays))
  await deleteSandboxMails(deps.db, keepSandbox)
  await deleteSandboxSms(deps.db, keepSandbox)
}
