import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { setPassword } from '../data.ts'
import type { UserRow } from '../data.ts'
import { endSessionsExcept } from '../sessions/data.ts'
import { hashPassword } from './passwords.ts'
import { notifyAccountChange } from '../history/notify-change.ts'

/** Changes the password of a user already verified by the caller; ends every other session and notifies the mailbox. */
export async function changePassword(ctx: Ctx, tx: Tx, { user, password }: { readonly user: UserRow; readonly password: string }): Promise<void> {
  await setPassword(tx, user.id, { passwordHash: await hashPassword(password), now: ctx.clock.now() })
  const ended = await endSessionsExcept(tx, user.id, user.id === ctx.userId ? ctx.sessionId : '')
  await tx.audit('account.password-changed', `user:${user.id}`, { ended, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
  await notifyAccountChange(ctx, tx, { before: user, change: 'password' })
}
