import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { emailKey } from '../../contract.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findByEmail, markEmailVerified } from '../data.ts'
import { loginReplyOf } from '../login-reply.ts'
import { openSession } from '../sessions.ts'
import { codeRules, sessionEnd } from '../settings.ts'
import { useCode } from './use-code.ts'

/** Signs in with a code of purpose login. It proves the mailbox, so the e-mail counts as verified from then on. */
export async function codeLogin(ctx: Ctx, { email, verifyCode }: InputOf<typeof accountContract.codeLogin>): Promise<LoginReply> {
  const key = emailKey(email)
  const rules = await codeRules(ctx.settings)
  const expiresAt = await sessionEnd(ctx)
  // anybody may: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | 'CODE_WRONG' | 'ACCOUNT_FROZEN'> => {
    const right = await useCode(ctx, tx, { purpose: 'login', kind: 'email', target: key, owner: '' }, verifyCode, rules)
    const account = right ? await findByEmail(tx, key) : undefined
    if (!account) return 'CODE_WRONG'
    if (account.status !== 'active') return 'ACCOUNT_FROZEN'
    const now = ctx.clock.now()
    await markEmailVerified(tx, key, now)
    const { token, sessionId } = await openSession(ctx, tx, account.user_id, expiresAt)
    await tx.audit('account.login', `user:${account.user_id}`, { by: 'code', sessionId, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
    return loginReplyOf(token, { ...account, verified_at: account.verified_at ?? now })
  })
  return typeof outcome === 'string' ? fail(outcome) : outcome
}
