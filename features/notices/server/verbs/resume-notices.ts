import type { Deps } from '#platform/server/feature.ts'
import { strandedNotices } from '../data.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverSms } from './deliver-sms.ts'

/** Resumes notices that a killed process left unsent, while they are still valid. */
export async function resumeNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const id of await strandedNotices(deps.db, 'mail', now)) await quietly(deps, deliverMail(deps, id))
  for (const id of await strandedNotices(deps.db, 'sms', now)) await quietly(deps, deliverSms(deps, id))
}

/** Continues with the other notices after an error; the failed one has it in its row. */
async function quietly({ log }: Deps, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => log.warn({ err: error }, 'a stranded notice was not sent'))
}
