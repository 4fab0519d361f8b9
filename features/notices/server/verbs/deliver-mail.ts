import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { readNoticesConfig } from '../config.ts'
import { claimNotice, endNotice, isWaiting, releaseNotice } from '../data.ts'
import { getMailer, resolveSender } from '../mailer.ts'
import type { RenderedMail } from '../render.ts'
import { unsealNotice } from '../seal.ts'

const LEASE_MS = 120_000

/**
 * Makes one attempt. Two runs of the job cannot both send, because the first holds the lease. Only a crash between the vendor's acceptance
 * and our record of it sends a mail again, after the lease and under the same Message-ID.
 */
export async function deliverMail(deps: Deps, mailId: string): Promise<void> {
  const now = deps.clock.now()
  const mail = await claimNotice(deps.db, 'mail', { id: mailId, now, until: new Date(now.getTime() + LEASE_MS) })
  if (!mail) {
    if (await isWaiting(deps.db, 'mail', mailId)) throw new Error('the mail is being sent by another run')
    return
  }
  const config = readNoticesConfig(deps.config)
  const { vendor, send } = getMailer(deps)
  if (mail.goodUntil <= now) {
    countEvent('mail_expired')
    return endNotice(deps.db, 'mail', { id: mailId, state: 'expired', vendor, now })
  }
  const from = resolveSender(config)
  const content = JSON.parse(unsealNotice(deps.secretKeys, mailId, mail.content)) as RenderedMail
  try {
    const ready = { ...content, messageId: `<${mailId}@${from.domain}>`, from: from.mailbox, to: mail.recipient, attempt: mail.attempts }
    await send(ready)
    crashPoint('notices.mail-taken')
    await endNotice(deps.db, 'mail', { id: mailId, state: 'sent', vendor, now: deps.clock.now() })
  } catch (error) {
    const failed = asSupplierError(error)
    // Everything but a rejection is retried while the mail is valid, under the same Message-ID
    if (failed.kind === 'rejected') return endNotice(deps.db, 'mail', { id: mailId, state: 'refused', vendor, now: deps.clock.now(), problem: failed.message })
    await releaseNotice(deps.db, 'mail', { id: mailId, problem: failed.message.slice(0, 200) })
    countEvent('mail_attempt_failed')
    if (failed.ours) deps.log.error({ reason: failed.message }, 'the mail server refuses our account')
    throw error
  }
}
