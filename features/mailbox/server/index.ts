import { closeNotifyChannel } from '#platform/server/database/notify-channel.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { mailboxContract } from '../contract.ts'
import { mailboxErrors } from '../errors.ts'
import { mailboxTexts } from '../texts.ts'
import { MAILBOX_SERVICE, mailboxSpec } from './boxes/service.ts'
import * as boxes from './boxes/verbs.ts'
import { listMailDomains, mailboxConfig, readSmtpConfig } from './config.ts'
import { listMailboxesByUser, forgetUser, listReceiverPorts, notifyMailboxWaiters, wipeBox } from './data.ts'
import { signedRoutes } from './inbox/signed-routes.ts'
import * as inbox from './inbox/verbs.ts'
import { mailboxSealed } from './secrets.ts'
import { mailboxSettings } from './settings.ts'

const { emailAddress, emailCount, emailGet, emailApply, emailReapply, emailPassword, emailLogin, emailRefresh, emailClose } = boxes
const { emailList, emailRead, emailDelete } = inbox

interface TaskMove {
  readonly service: string
  readonly taskId: string
  readonly phase: string
}

/** Wipes an ended mailbox, whatever ended it, and notifies waiting requests of every step. */
async function onTaskMove(deps: Deps, { service, taskId, phase }: TaskMove): Promise<void> {
  if (service !== MAILBOX_SERVICE) return
  if (phase === 'done' || phase === 'failed') {
    await transact(deps.db, SYSTEM, async (tx) => {
      await wipeBox(tx, taskId, phase === 'failed')
      await tx.audit('mailbox.wiped', `service:${taskId}`)
    })
  }
  await notifyMailboxWaiters(deps.db, taskId)
}

export const mailbox = defineFeature({
  name: 'mailbox',
  texts: mailboxTexts,
  errors: mailboxErrors,
  routes: [
    bind(mailboxContract, {
      ...{ emailAddress, emailCount, emailGet, emailApply, emailReapply, emailPassword, emailLogin, emailRefresh, emailClose },
      ...{ emailList, emailRead, emailDelete },
    }),
  ],
  rawRoutes: signedRoutes,
  events: [
    { event: 'service.moved', name: 'mailbox', handle: onTaskMove },
    {
      event: 'user.deleted',
      name: 'mailbox',
      handle: (deps: Deps, { userId }: { userId: string }) =>
        transact(deps.db, SYSTEM, async (tx) => {
          await forgetUser(tx, userId)
          await tx.audit('mailbox.user_forgotten', `user:${userId}`)
        }),
    },
  ],
  settings: mailboxSettings,
  config: mailboxConfig,
  sealed: mailboxSealed,
  sandboxPanels: [
    async (deps) => ({
      title: '收信 Mail in',
      about: `本进程真的收信：SMTP 在 ${(await listReceiverPorts(deps.db)).join('、') || '没有运行'} 端口，收 ${listMailDomains(deps).join('、')}。 Real SMTP; send to a mailbox with: curl smtp://127.0.0.1:${(await listReceiverPorts(deps.db))[0] ?? readSmtpConfig(deps).port} --mail-from a@example.com --mail-rcpt NAME@${listMailDomains(deps)[0] ?? ''} -T mail.txt`,
      columns: ['端口 Port'],
      rows: (await listReceiverPorts(deps.db)).map((port) => [String(port)]),
    }),
  ],
  personal: {
    exportOf: async ({ db }, userId) => {
      const kept = await listMailboxesByUser(db, userId)
      return kept.length ? kept.map(({ address, mails, wipedAt }) => ({ address, mails, wipedAt })) : undefined
    },
  },
  start: async (deps, roles) => {
    sellService(deps, mailboxSpec)
    const stop = roles.has('mail') ? await (await import('./smtp/run.ts')).runMail(deps) : undefined
    return async () => {
      await stop?.()
      await closeNotifyChannel(deps, 'mailbox')
    }
  },
})
