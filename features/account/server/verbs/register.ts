import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { emailKey } from '../../contract.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { insertUser } from '../data.ts'
import { loginReplyOf } from '../login-reply.ts'
import { hashPassword } from '../passwords.ts'
import { openSession } from '../sessions.ts'
import { requireStrong } from '../weak-passwords.ts'
import { codeRules, sessionEnd } from '../settings.ts'
import { useCode } from './use-code.ts'

/**
 * Creates a user and signs in. That the e-mail is taken is told only to who holds a code of its mailbox. News:
 * `user.registered { userId, inviteCode }`; the wallet and the invitations hear of it, account opens nothing there.
 */
export async function register(ctx: Ctx, input: InputOf<typeof accountContract.register>): Promise<LoginReply> {
  const key = emailKey(input.email)
  requireStrong(input.password, key)
  const rules = await codeRules(ctx.settings)
  const expiresAt = await sessionEnd(ctx)
  // anybody may: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | 'CODE_WRONG' | 'EMAIL_TAKEN'> => {
    const right = await useCode(ctx, tx, { purpose: 'register', kind: 'email', target: key, owner: '' }, input.verifyCode, rules)
    if (!right) return 'CODE_WRONG'
    const now = ctx.clock.now()
    const userId = newId('usr', now.getTime())
    const created = await insertUser(tx, { id: userId, emailKey: key, display: input.email, passwordHash: await hashPassword(input.password), now })
    if (!created) return 'EMAIL_TAKEN'
    const { token, sessionId } = await openSession(ctx, tx, userId, expiresAt)
    await tx.audit('account.registered', `user:${userId}`, { sessionId, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
    await tx.emit('user.registered', { userId, inviteCode: input.inviteCode ?? null })
    return loginReplyOf(token, { email: input.email, verified_at: now })
  })
  return typeof outcome === 'string' ? fail(outcome) : outcome
}
