import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { insertNotice } from '../data.ts'
import { sealNotice, unsealNotice } from '../seal.ts'
import { resendsADay } from '../settings.ts'
import { countResends, lockResends, selectSentMail } from './data.ts'
import type { SentMail } from './data.ts'

const DAY_MS = 86_400_000

/** Finds a mail to this address in any state. Throws NOT_FOUND. */
export async function requireMailTo(sql: Sql, mailId: string, to: string): Promise<SentMail> {
  const mail = await selectSentMail(sql, mailId)
  return mail?.recipient === to ? mail : fail('NOT_FOUND')
}

const toMidnight = (now: Date) => new Date(`${toShanghaiDay(now)}T00:00:00+08:00`)

export const countResendsToday = (sql: Sql, { root }: SentMail, now: Date) => countResends(sql, root, toMidnight(now))

/**
 * Queues an identical copy of a mail to its original address. Errors: NOT_FOUND, NOTICE_NOT_KEPT (it holds a code or a link that signs in,
 * is still waiting, or is too old), NOTICE_RESENT (the daily limit is reached).
 */
export async function resendMail(
  deps: Pick<Deps, 'jobs' | 'settings' | 'secretKey' | 'secretKeys' | 'clock'>,
  tx: Tx,
  { mailId, to }: { readonly mailId: string; readonly to: string },
): Promise<void> {
  const { root, template, kept } = await requireMailTo(tx, mailId, to)
  if (!kept) return fail('NOTICE_NOT_KEPT')
  await lockResends(tx, root)
  const now = deps.clock.now()
  const most = await deps.settings.get(resendsADay)
  const today = await countResends(tx, root, toMidnight(now))
  if (today >= most) return fail('NOTICE_RESENT', { most })
  const id = createId('mail', now.getTime())
  const content = sealNotice(deps.secretKey, id, unsealNotice(deps.secretKeys, mailId, kept))
  const made = {
    id,
    dedupe: `resend:${root}:${toShanghaiDay(now)}:${today + 1}`,
    template,
    to,
    content,
    goodUntil: new Date(now.getTime() + DAY_MS),
    now,
    repeatable: true,
    resentFrom: root,
  }
  if (!(await insertNotice(tx, 'mail', made))) return fail('NOTICE_RESENT', { most })
  await deps.jobs.send(tx, 'notices.deliver-mail', { mailId: id })
}
