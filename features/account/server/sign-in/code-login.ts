import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findByTarget, markVerified } from '../data.ts'
import { codeRules, sessionEnd } from '../settings.ts'
import { signIn } from './sign-in.ts'
import { requireUnblocked } from '#features/risk/server/door.ts'
import { targetOf } from '../target.ts'
import { codeUse } from '../sessions/tokens.ts'
import { passCodeOn } from '../codes/issue-code.ts'
import { useCode } from '../codes/use-code.ts'

type Refusal = 'CODE_WRONG' | 'ACCOUNT_FROZEN' | 'NOT_REGISTERED'

/**
 * Signs in with a code of purpose login, which marks the contact as verified. A mobile without an account gets NOT_REGISTERED and can register
 * with the same code. Audited by signIn.
 */
export async function codeLogin(ctx: Ctx, input: InputOf<typeof accountContract.codeLogin>): Promise<LoginReply> {
  await requireUnblocked(ctx)
  const target = targetOf(input)
  const rules = await codeRules(ctx.settings)
  const expiresAt = await sessionEnd(ctx)
  // audited by signIn; no permission check: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | Refusal> => {
    const guess = await useCode(ctx, tx, codeUse('login', target, ''), input.verifyCode, rules, input.codeTicket)
    if (!guess) return 'CODE_WRONG'
    const account = await findByTarget(tx, target)
    if (!account && target.kind === 'mobile') {
      await passCodeOn(ctx, tx, codeUse('register', target, ''), { code: input.verifyCode, ticket: input.codeTicket, expiresAt: guess.expires_at })
      return 'NOT_REGISTERED'
    }
    if (!account) return 'CODE_WRONG'
    if (account.status !== 'active') return 'ACCOUNT_FROZEN'
    await markVerified(tx, target, ctx.clock.now())
    return signIn(ctx, tx, account.user_id, 'code', expiresAt)
  })
  return typeof outcome === 'string' ? fail(outcome, { email: ctx.config.SUPPORT_EMAIL }) : outcome
}
