import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { findContact, resolveUserId } from '#features/account/server/door.ts'
import { requireMailTo, resendMail, countResendsToday } from '#features/notices/server/door.ts'

const input = z.object({ user: z.string().min(1).max(254), noticeId: z.string().min(1).max(60) })
type MailRef = z.output<typeof input>
/** The customer's current mailbox: a mail sent to an earlier one is not resent to it. */
const readAddress = async (sql: Sql, user: string): Promise<string> => (await findContact(sql, user))?.email ?? fail('NOT_FOUND')
const requireMail = async (sql: Sql, { user, noticeId }: MailRef) => requireMailTo(sql, noticeId, await readAddress(sql, user))

export const noticeCommands = [
  defineCommand({
    name: 'notice.resend',
    summary: 'Sends a mail to its customer again, word for word; never one with a code or a link that signs in',
    permission: 'support.answer',
    input,
    resolve: async ({ db }: Deps, named: MailRef) => ({ ...named, user: await resolveUserId(db, named.user) }),
    subject: async ({ db }: Deps, named: MailRef) => `notice:${(await requireMail(db, named)).id}`,
    weigh: async (_deps, { user }) => ({ userId: user }),
    look: async ({ tx, deps }: CommandExecution, named) => {
      const mail = await requireMail(tx, named)
      return { template: mail.template, state: mail.state, resends: await countResendsToday(tx, mail, deps.clock.now()) }
    },
    loose: ['state'],
    run: async ({ tx, deps, reason }, { user, noticeId }) => {
      await resendMail(deps, tx, { mailId: noticeId, to: await readAddress(tx, user) })
      await tx.audit('notice.resent', `user:${user}`, { noticeId, reason })
      return {}
    },
  }),
] as const
