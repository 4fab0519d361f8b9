import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { emailKey } from '../../contract.ts'
import type { accountContract } from '../../contract.ts'
import { deleteSessions, findByEmail, markEmailVerified, setPassword } from '../data.ts'
import { passwordMail } from '../mails.ts'
import { hashPassword } from '../passwords.ts'
import { requireStrong } from '../weak-passwords.ts'
import { codeRules } from '../settings.ts'
import { useCode } from './use-code.ts'

/** Sets a password by a code of purpose updatePassword and ends every session but the one that asks (money.md A6). */
export async function resetPassword(ctx: Ctx, { email, password, verifyCode }: InputOf<typeof accountContract.resetPassword>): Promise<{}> {
  const key = emailKey(email)
  requireStrong(password, key)
  const rules = await codeRules(ctx.settings)
  // anybody may: the code is the proof
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    const right = await useCode(ctx, tx, { purpose: 'updatePassword', kind: 'email', target: key, owner: '' }, verifyCode, rules)
    const account = right ? await findByEmail(tx, key) : undefined
    if (!account) return false
    const now = ctx.clock.now()
    await setPassword(tx, account.user_id, await hashPassword(password), now)
    await markEmailVerified(tx, key, now)
    const ended = await deleteSessions(tx, account.user_id, account.user_id === ctx.userId ? ctx.sessionId : '')
    await tx.audit('account.password-reset', `user:${account.user_id}`, { ended, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
    await sendMail(ctx, tx, {
      to: key,
      template: passwordMail,
      lang: ctx.lang,
      values: { time: shanghaiTime(now) },
      dedupe: `account.password:${account.user_id}:${now.getTime()}`,
    })
    return true
  })
  return done ? {} : fail('CODE_WRONG')
}
