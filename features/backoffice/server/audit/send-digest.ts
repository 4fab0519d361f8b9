import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { backofficeTexts } from '../../texts.ts'
import { digestMail } from '../settings.ts'
import { findChainHead, countRowsOfDay } from './data.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

const digest = { name: 'backoffice.digest', texts: backofficeTexts, subject: 'mail_digest_subject', body: 'mail_digest_body' } as const

/** Mails yesterday's chain head to a mailbox outside the platform, once a day: rewriting the chain cannot change the mail. */
export async function sendDigest(deps: Deps): Promise<void> {
  const to = await deps.settings.get(digestMail)
  if (!to) return
  const day = toShanghaiDay(new Date(deps.clock.now().getTime() - 86_400_000))
  await transact(deps.db, SYSTEM, async (tx) => {
    const [head, rows] = [await findChainHead(tx), await countRowsOfDay(tx, day)]
    await sendMail(deps, tx, { to, template: digest, lang: DEFAULT_LANG, dedupe: `backoffice.digest:${day}`, values: { day, head, rows: String(rows) } })
    await tx.audit('audit.digest-sent', 'audit', { day, head })
  })
}
