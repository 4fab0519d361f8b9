import type { Deps } from '#platform/server/feature.ts'
import { selectStrandedNotices } from '../data.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverSms } from './deliver-sms.ts'

/** Resumes notices that a killed process left unsent, while they are still valid. */
export async function resumeNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const id of await selectStrandedNotices(deps.db, 'mail', now)) await logFailure(deps, deliverMail(deps, id))
  for (const id of await selectStrandedNotices(deps.db, 'sms', now)) await logFailure(deps, deliverSms(deps, id))
}

/** Continues with the other notices after an error, which is recorded in the failed notice's row. */
async function logFailure({ log }: Deps, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => log.warn({ err: error }, 'a stranded notice was not sent'))
}
