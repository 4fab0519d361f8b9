import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import type { securityContract } from '../../contract-security.ts'
import { listProvenTargets, requireUser } from '../contacts.ts'
import { closeUser } from '../data.ts'
import { closedMail } from '../mails.ts'
import { consumeOwnCode } from '../codes/use-code.ts'
import { requireOwnPassword } from '../passwords/change-passwords.ts'
import { readCodeRules } from '../settings.ts'
import { closeCheck } from './close-check.ts'

/**
 * Closes the account immediately and permanently: ends sessions, frees e-mail, mobile and Google, and erases personal data; the ledger and
 * the audit are kept. Refused while a feature reports a blocker. Emits `user.deleted { userId }` for features that keep keys or call
 * outside parties. Money that arrives later still finds the ledger account.
 */
export async function deleteAccount(ctx: Ctx, { password, verifyCode }: InputOf<typeof securityContract.deleteAccount>): Promise<{}> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (verifyCode !== undefined && !listProvenTargets(user).length) fail('NO_CONTACT')
  const { blockers } = await closeCheck(ctx)
  if (blockers.length) fail('CLOSE_BLOCKED', { blockers })
  if (password !== undefined) await requireOwnPassword(ctx, user, password)
  const rules = await readCodeRules(ctx.settings)
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    if (verifyCode !== undefined && !(await consumeOwnCode(ctx, tx, { user, purpose: 'deleteAccount', code: verifyCode, rules }))) return false
    const now = ctx.clock.now()
    if (!(await closeUser(tx, ctx.userId, now))) fail('SESSION_EXPIRED')
    await tx.audit('account.closed', `user:${ctx.userId}`, { by: password === undefined ? 'code' : 'password', ip: ctx.ip })
    await tx.emit('user.deleted', { userId: ctx.userId })
    if (user.emailVerifiedAt && user.emailKey) {
      const values = { time: toShanghaiTime(now) }
      await sendMail(ctx, tx, { to: user.emailKey, lang: user.language ?? ctx.lang, template: closedMail, values, dedupe: `account.closed:${user.id}` })
    }
    return true
  })
  return done ? {} : fail('CODE_WRONG')
}
