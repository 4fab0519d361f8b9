import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { findMessageCode } from '#platform/server/find-message-code.ts'
import { findReceivingMailbox, lockBox, notifyMailboxWaiters, insertFile, insertMail } from '../data.ts'
import type { Box } from '../data.ts'
import type { ReceivedMail, CheckedMail } from '../reading/read-mail.ts'
import { loadMailKey, sealMailBytes } from '../secrets.ts'

/** Sealed content of a mail's row; files have their own rows. */
export interface StoredMailContent extends Omit<CheckedMail, 'files'> {
  readonly to: string
  readonly code: string
}

/** Stores a mail in each of its mailboxes, once each, all or none. Throws if that fails: the sending server retries. */
export async function storeMail(deps: Deps, { raw, mail, recipients }: ReceivedMail): Promise<void> {
  const boxes = (await Promise.all(recipients.map((address) => findReceivingMailbox(deps.db, address)))).filter((box) => box !== undefined)
  const keys = await Promise.all(boxes.map(({ userId }) => loadMailKey(deps, deps.db, userId)))
  await transact(deps.db, SYSTEM, async (tx) => {
    // In a fixed order, so that concurrent mails to the same mailboxes cannot deadlock
    for (const box of boxes.toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1))) {
      const key = keys[boxes.indexOf(box)]
      const locked = await lockBox(tx, box.taskId)
      if (key && locked && !locked.wipedAt) await storeInMailbox(tx, key, { box, pick: { raw, mail } })
    }
    await tx.audit('mailbox.received', 'mailbox', { boxes: boxes.length, bytes: raw.bytes })
    crashPoint('mailbox.before-commit')
  })
  crashPoint('mailbox.after-commit')
}

async function storeInMailbox(
  tx: Tx,
  key: Buffer,
  { box, pick: { raw, mail } }: { readonly box: Box; readonly pick: Pick<ReceivedMail, 'raw' | 'mail'> },
): Promise<void> {
  const id = createId('mml')
  const { files, ...words } = mail
  const kept: StoredMailContent = { ...words, to: box.address, code: findMessageCode(`${mail.subject}\n${mail.text}`) }
  const sealed = sealMailBytes(key, id, Buffer.from(JSON.stringify(kept)))
  if (!(await insertMail(tx, { id, taskId: box.taskId, userId: box.userId, digest: raw.digest, bytes: raw.bytes, sealed }))) return
  for (const [place, file] of files.entries()) {
    const fileId = createId('mfl')
    await insertFile(tx, {
      id: fileId,
      messageId: id,
      userId: box.userId,
      place,
      bytes: file.bytes.byteLength,
      name: sealMailBytes(key, `${fileId}.name`, Buffer.from(file.name)),
      sealed: sealMailBytes(key, fileId, file.bytes),
    })
  }
  await notifyMailboxWaiters(tx, box.taskId)
}
