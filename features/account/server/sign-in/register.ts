import type { Ctx } from '#platform/server/feature.ts'
import { transact, type Tx } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { requireUnblocked } from '#features/risk/server/door.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { hashPassword } from '../passwords/passwords.ts'
import { readCodeRules, computeSessionEnd } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { requireStrongPassword } from '../passwords/weak-passwords.ts'
import { consumeCode } from '../codes/use-code.ts'
import { createId } from '#platform/shared/ids.ts'
import { claimIdentity, deleteNewUser, insertUser, type NewIdentity } from '../data.ts'

interface NewUserInput {
  readonly identities: readonly NewIdentity[]
  readonly passwordHash?: string | undefined
  readonly name?: string
  readonly inviteCode: string | undefined
}

/**
 * Creates a user with verified identities; undefined, without any effect, if the first one is taken. Emits `user.registered { userId,
 * inviteCode }` for wallet and invitations; account itself opens nothing there.
 */
export async function createUser(ctx: Ctx, tx: Tx, { identities, passwordHash, name, inviteCode }: NewUserInput): Promise<string | undefined> {
  const now = ctx.clock.now()
  const userId = createId('usr', now.getTime())
  await insertUser(tx, { id: userId, passwordHash, language: ctx.lang, inviteCode, now, ...(name ? { name } : {}) })
  for (const [index, identity] of identities.entries()) {
    if (await claimIdentity(tx, userId, { identity, now })) continue
    // Only the first can be taken: the caller checked the others under its locks, or the transaction fails.
    if (index > 0) throw new Error('an identity was taken meanwhile')
    await deleteNewUser(tx, userId)
    return undefined
  }
  await tx.emit('user.registered', { userId, inviteCode: inviteCode ?? null })
  return userId
}

type Refusal = 'CODE_WRONG' | 'EMAIL_TAKEN' | 'MOBILE_TAKEN'

/** Creates a user and signs in. EMAIL_TAKEN and MOBILE_TAKEN are returned only after a correct code. */
export async function registerUser(ctx: Ctx, input: InputOf<typeof accountContract.register>): Promise<LoginReply> {
  const target = toContactTarget(input)
  await requireUnblocked(ctx, target.kind === 'email' ? target.subject : undefined)
  if (input.password !== undefined) requireStrongPassword(input.password, [target.subject])
  const rules = await readCodeRules(ctx.settings)
  const expiresAt = await computeSessionEnd(ctx)
  // audited by signIn; no permission check: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | Refusal> => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('register', target, ''), code: input.verifyCode, rules, ticket: input.codeTicket })))
      return 'CODE_WRONG'
    const passwordHash = input.password === undefined ? undefined : await hashPassword(input.password)
    const userId = await createUser(ctx, tx, { identities: [target], passwordHash, inviteCode: input.inviteCode })
    if (!userId) return target.kind === 'email' ? 'EMAIL_TAKEN' : 'MOBILE_TAKEN'
    return completeSignIn(ctx, tx, { userId, by: 'register', expiresAt })
  })
  return typeof outcome === 'string' ? fail(outcome) : outcome
}
