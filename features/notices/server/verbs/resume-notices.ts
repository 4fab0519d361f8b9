import type { Deps } from '#platform/server/feature.ts'
import { strandedNotices } from '../data.ts'
import { deliverMail } from './deliver-mail.ts'
import { deliverSms } from './deliver-sms.ts'

/** Goes on with what a killed process left in mid-sending, while the code in it still lives. */
export async function resumeNotices(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  for (const id of await strandedNotices(deps.db, 'mail', now)) await quietly(deps, deliverMail(deps, id))
  for (const id of await strandedNotices(deps.db, 'sms', now)) await quietly(deps, deliverSms(deps, id))
}

/** One failure, which its own row tells, must not stop the others. */
async function quietly({ log }: Deps, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => log.warn({ err: error }, 'a stranded notice was not sent'))
}
