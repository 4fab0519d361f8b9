import { closeBell } from '#platform/server/database/bell.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { mailboxContract } from '../contract.ts'
import { mailboxErrors } from '../errors.ts'
import { mailboxTexts } from '../texts.ts'
import { MAILBOX, mailboxSpec } from './boxes/service.ts'
import * as boxes from './boxes/verbs.ts'
import { domainsOf, mailboxConfig, smtpOf } from './config.ts'
import { boxesOfUser, forgetUser, receiversNow, ring, wipeBox } from './data.ts'
import { signedRoutes } from './inbox/signed-routes.ts'
import * as inbox from './inbox/verbs.ts'
import { mailboxSealed } from './secrets.ts'
import { mailboxSettings } from './settings.ts'

const { emailAddress, emailCount, emailGet, emailApply, emailReapply, emailPassword, emailLogin, emailRefresh, emailClose } = boxes
const { emailList, emailRead, emailDelete } = inbox

interface Moved {
  readonly service: string
  readonly taskId: string
  readonly phase: string
}

/** Wipes an ended mailbox, whatever ended it, and notifies waiting requests of every step. */
async function afterMove(deps: Deps, { service, taskId, phase }: Moved): Promise<void> {
  if (service !== MAILBOX) return
  if (phase === 'done' || phase === 'failed') {
    await transact(deps.db, SYSTEM, async (tx) => {
      await wipeBox(tx, taskId, phase === 'failed')
      await tx.audit('mailbox.wiped', `service:${taskId}`)
    })
  }
  await ring(deps.db, taskId)
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
    { event: 'service.moved', name: 'mailbox', handle: afterMove },
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
      about: `本进程真的收信：SMTP 在 ${(await receiversNow(deps.db)).join('、') || '没有运行'} 端口，收 ${domainsOf(deps).join('、')}。 Real SMTP; send to a mailbox with: curl smtp://127.0.0.1:${(await receiversNow(deps.db))[0] ?? smtpOf(deps).port} --mail-from a@example.com --mail-rcpt NAME@${domainsOf(deps)[0] ?? ''} -T mail.txt`,
      columns: ['端口 Port'],
      rows: (await receiversNow(deps.db)).map((port) => [String(port)]),
    }),
  ],
  personal: {
    exportOf: async ({ db }, userId) => {
      const kept = await boxesOfUser(db, userId)
      return kept.length ? kept.map(({ address, mails, wiped_at }) => ({ address, mails, wipedAt: wiped_at })) : undefined
    },
  },
  start: async (deps, roles) => {
    sellService(deps, mailboxSpec)
    const stop = roles.has('mail') ? await (await import('./smtp/run.ts')).runMail(deps) : undefined
    return async () => {
      await stop?.()
      await closeBell(deps, 'mailbox')
    }
  },
})
