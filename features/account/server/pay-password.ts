import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { transact } from '#platform/server/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { PAY_PASSWORD_TRIES } from '../contract.ts'
import { PAY_RESULT } from '../contract-pay-password.ts'
import type { PayResult } from '../contract-pay-password.ts'
import { countTry, findPayPassword, forgiveTries } from './data-pay-password.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { payPasswordStreak } from './settings.ts'
import { keyed } from './tokens.ts'

/** A million passwords are no secret by themselves: under the installation's key a copy of the database does not tell them. */
const peppered = (secretKey: Buffer, userId: string, password: string) => keyed(secretKey, 'account.pay-password', userId, password).toString('base64')

export function hashPayPassword({ secretKey }: Pick<Deps, 'secretKey'>, userId: string, password: string): Promise<string> {
  return hashPassword(peppered(secretKey, userId, password))
}

export interface Compared extends PayResult {
  /** The hash that was right. */
  readonly hash?: string
  /** So many wrong ones in a row that a reset does not help. */
  readonly blocked: boolean
}

/**
 * Compares a payment password. The try is counted before, in a statement of its own: of any number of parallel tries at
 * most five are compared until it is reset by a code, and at most twenty in a row over any number of resets (money.md A2).
 * Works on the pool: never call it inside a transaction, whose failure would give the try back.
 */
export async function comparePayPassword(deps: Deps, userId: string, password: string): Promise<Compared> {
  const max = { tries: PAY_PASSWORD_TRIES, streak: await deps.settings.get(payPasswordStreak) }
  const row = await countTry(deps.db, userId, max)
  if (!row) {
    const standing = await findPayPassword(deps.db, userId)
    if (!standing) return { resultType: PAY_RESULT.notSet, failCount: 0, blocked: false }
    return { resultType: PAY_RESULT.limitExceeded, failCount: Math.min(standing.tries, max.tries), blocked: standing.streak >= max.streak }
  }
  if (await passwordMatches(row.hash, peppered(deps.secretKey, userId, password))) {
    await forgiveTries(deps.db, userId, row.hash)
    return { resultType: PAY_RESULT.success, failCount: 0, hash: row.hash, blocked: false }
  }
  const blocked = row.streak >= max.streak
  const locked = blocked || row.tries >= max.tries
  if (locked) countEvent('pay_password_locked')
  await transact(deps.db, { kind: 'user', id: userId }, (tx) =>
    tx.audit(locked ? 'account.pay-password-locked' : 'account.pay-password-wrong', `user:${userId}`, { tries: row.tries, streak: row.streak }),
  )
  return { resultType: locked ? PAY_RESULT.limitExceeded : PAY_RESULT.wrong, failCount: row.tries, blocked }
}

/**
 * For features whose calls ask for the payment password: returns when it is right, else throws PAY_PASSWORD_NOT_SET,
 * PAY_PASSWORD_WRONG with `failCount` and `triesLeft`, PAY_PASSWORD_LOCKED or PAY_PASSWORD_BLOCKED (spread
 * `payPasswordErrors` of features/account/errors.ts into the feature's own). Call it before the transaction it guards.
 */
export async function requirePayPassword(deps: Deps, userId: string, password: string): Promise<void> {
  const { resultType, failCount, blocked } = await comparePayPassword(deps, userId, password)
  if (resultType === PAY_RESULT.success) return
  if (resultType === PAY_RESULT.notSet) fail('PAY_PASSWORD_NOT_SET')
  if (resultType === PAY_RESULT.wrong) fail('PAY_PASSWORD_WRONG', { failCount, triesLeft: PAY_PASSWORD_TRIES - failCount })
  fail(blocked ? 'PAY_PASSWORD_BLOCKED' : 'PAY_PASSWORD_LOCKED')
}
