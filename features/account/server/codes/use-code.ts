import { countEvent } from '#platform/server/metrics.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { uncountEvent, toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import { checkGuess, type Guess, selectNewestTarget } from './data.ts'
import type { CodeRules } from '../settings.ts'
import { hashRequesters, computeCodeHmac, pseudonymizeTarget, type CodeBinding, buildCodeBinding } from '../sessions/tokens.ts'
import type { CodePurpose } from '../../contract.ts'
import { listProvenTargets } from '../contacts.ts'
import type { UserRow } from '../data.ts'

const GUESSES_BUCKET = 'account.code.guesses'
const HOUR = 3_600

/**
 * Checks one guess at a code and consumes the code if it is correct. Throws TOO_MANY after too many wrong guesses from the address, at any
 * code. `ticket` identifies a requester without a session. Returns undefined for a wrong guess instead of throwing, because the caller must
 * commit it, or it would not count (money.md A1).
 */
export async function consumeCode(
  ctx: Ctx,
  tx: Tx,
  { use, code, rules, ticket }: { readonly use: CodeBinding; readonly code: string; readonly rules: CodeRules; readonly ticket?: string },
): Promise<Guess | undefined> {
  const askers = ctx.secretKeys.flatMap((key) => hashRequesters(key, ctx.userId, ticket))
  const hmacs = ctx.secretKeys.map((key) => computeCodeHmac(key, use, code))
  // counted before the comparison, so that parallel guesses cannot bypass the limit
  const from = toIpSubject(ctx.ip)
  await requireAllowed(tx, GUESSES_BUCKET, { subject: from, limit: rules.guessesPerIpHour, windowSeconds: HOUR, now: ctx.clock.now() })
  const guess = await checkGuess(tx, use, { hmacs, askers, now: ctx.clock.now(), max: rules.guesses })
  if (guess?.right) await uncountEvent(tx, GUESSES_BUCKET, from)
  if (!guess || guess.right) return guess
  if (guess.guesses >= rules.guesses) {
    countEvent('code_burnt')
    ctx.log.warn({ purpose: use.purpose, ip: ctx.ip }, 'a code was guessed at until it died')
    await tx.audit('account.code-burnt', pseudonymizeTarget(ctx.secretKey, { kind: use.kind, subject: use.target }), { purpose: use.purpose, ip: ctx.ip })
  }
  return undefined
}

/**
 * Checks one guess at the newest code of a purpose sent to one of the user's own contacts. Commit wrong guesses too, or they do not count.
 */
export async function consumeOwnCode(
  ctx: Ctx,
  tx: Tx,
  { user, purpose, code, rules }: { readonly user: UserRow; readonly purpose: CodePurpose; readonly code: string; readonly rules: CodeRules },
): Promise<boolean> {
  const target = await selectNewestTarget(tx, purpose, listProvenTargets(user))
  return target !== undefined && (await consumeCode(ctx, tx, { use: buildCodeBinding(purpose, target, user.id), code, rules })) !== undefined
}
