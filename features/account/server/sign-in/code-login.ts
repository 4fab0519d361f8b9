import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findAccountByTarget, markVerified } from '../data.ts'
import { readCodeRules, computeSessionEnd } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { requireUnblocked } from '#features/risk/server/door.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { transferCode } from '../codes/issue-code.ts'
import { consumeCode } from '../codes/use-code.ts'

type Refusal = 'CODE_WRONG' | 'ACCOUNT_FROZEN' | 'NOT_REGISTERED'

/**
 * Signs in with a code of purpose login, which marks the contact as verified. A mobile without an account gets NOT_REGISTERED and can register
 * with the same code. Audited by signIn.
 */
export async function codeLogin(ctx: Ctx, input: InputOf<typeof accountContract.codeLogin>): Promise<LoginReply> {
  await requireUnblocked(ctx)
  const target = toContactTarget(input)
  const rules = await readCodeRules(ctx.settings)
  const expiresAt = await computeSessionEnd(ctx)
  // audited by signIn; no permission check: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | Refusal> => {
    const guess = await consumeCode(ctx, tx, { use: buildCodeBinding('login', target, ''), code: input.verifyCode, rules, ticket: input.codeTicket })
    if (!guess) return 'CODE_WRONG'
    const account = await findAccountByTarget(tx, target)
    if (!account && target.kind === 'mobile') {
      await transferCode(ctx, tx, {
        use: buildCodeBinding('register', target, ''),
        code: input.verifyCode,
        ticket: input.codeTicket,
        expiresAt: guess.expiresAt,
      })
      return 'NOT_REGISTERED'
    }
    if (!account) return 'CODE_WRONG'
    if (account.status !== 'active') return 'ACCOUNT_FROZEN'
    await markVerified(tx, target, ctx.clock.now())
    return completeSignIn(ctx, tx, { userId: account.userId, by: 'code', expiresAt })
  })
  return typeof outcome === 'string' ? fail(outcome, { email: ctx.config.SUPPORT_EMAIL }) : outcome
}
