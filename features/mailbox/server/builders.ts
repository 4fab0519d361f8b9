import { createHash } from 'node:crypto'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { hashPassword } from '#features/account/server/door.ts'
import { beginTask, moveTask } from '#features/services/server/door.ts'
import { MAILBOX_SERVICE } from './boxes/service.ts'
import { listMailDomains } from './config.ts'
import { insertBox, insertOpening, setPassword, listMails } from './data.ts'
import { storeMail } from './inbox/store-mail.ts'
import type { CheckedMail } from './reading/read-mail.ts'
import { ensureMailKey } from './secrets.ts'

interface MailboxOptions {
  readonly userId: string
  /** Session in which the mailbox is unlocked. */
  readonly sessionId?: string
  readonly name?: string
  readonly password?: string
  readonly days?: number
  readonly mail?: Partial<CheckedMail>
}
const HOURS = 12
const DAY_MS = 86_400_000
let names = 0

/** Creates a mailbox that receives mail, without a use or a charge. */
export async function aMailbox(deps: Deps, wish: MailboxOptions): Promise<{ id: string; address: string; mailId: string | undefined }> {
  const { userId, sessionId, name = `built${++names}`, password = 'open sesame 7', days = 30 } = wish
  const address = `${name}@${listMailDomains(deps)[0]!}`
  const hash = await hashPassword(password)
  const id = await transact(deps.db, SYSTEM, async (tx) => {
    await ensureMailKey(deps, tx, userId)
    const { task } = await beginTask(deps, tx, { service: MAILBOX_SERVICE, userId, product: 'box', facts: { address }, price: 0n })
    await insertBox(tx, { taskId: task.id, userId, address })
    await moveTask(deps, tx, { id: task.id, from: ['generating'], to: { to: 'fresh' } })
    await moveTask(deps, tx, { id: task.id, from: ['fresh'], to: { to: 'success', expiresAt: new Date(Date.now() + days * DAY_MS) } })
    await setPassword(tx, task.id, hash)
    if (sessionId) await insertOpening(tx, task.id, { sessionId, hours: HOURS })
    await tx.audit('mailbox.built', `service:${task.id}`)
    return task.id
  })
  if (wish.mail) await aMail(deps, address, wish.mail)
  return { id, address, mailId: (await listMails(deps.db, id, { limit: 1, offset: 0 }))[0]?.id }
}

/** Creates a received mail. */
export async function aMail(deps: Deps, address: string, mail: Partial<CheckedMail>): Promise<void> {
  const plain: CheckedMail = {
    from: 'noreply@sender.example',
    fromName: 'Sender',
    subject: 'Hello',
    sentAt: '',
    text: 'Hello',
    html: '',
    blocked: 0,
    auth: { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
    files: [],
  }
  await storeMail(deps, {
    raw: { bytes: 1_000, digest: createHash('sha256').update(createId('raw')).digest() },
    mail: { ...plain, ...mail },
    recipients: [address],
  })
}
