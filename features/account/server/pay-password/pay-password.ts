import type { Deps, KeyedRows } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { computeKeyId } from '#platform/server/sealing/seal.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { PAY_PASSWORD_TRIES } from '../../contract.ts'
import { PAY_RESULT } from '../../contract-pay-password.ts'
import type { PayResult } from '../../contract-pay-password.ts'
import { countPayHashesByKey, countPayAttempt, findPayPassword, resetPayAttempts, rekeyPayHash } from './data.ts'
import type { PayHash, PayPasswordRow } from './data.ts'
import { hashPassword, passwordMatches } from '../passwords/passwords.ts'
import { payPasswordStreak } from '../settings.ts'
import { computeKeyedHash } from '../sessions/tokens.ts'

/** Peppers the password with the installation's key: a million possible passwords could be brute-forced from a copy of the database. */
const pepperPassword = (secretKey: Buffer, userId: string, password: string) =>
  computeKeyedHash(secretKey, 'account.pay-password', userId, password).toString('base64')

export async function hashPayPassword({ secretKey }: Pick<Deps, 'secretKey'>, userId: string, password: string): Promise<PayHash> {
  return { hash: await hashPassword(pepperPassword(secretKey, userId, password)), keyId: computeKeyId(secretKey) }
}

/** For `npm run secrets:reseal`: a payment password moves to another key only when its owner enters it correctly. */
export const payPasswordKeyedRows: KeyedRows = { name: 'account_pay_passwords', countByKey: countPayHashesByKey }

/** Compares the password under the key it was hashed with; if the row does not name the key, tries each one. Returns the matching key. */
async function findMatchingKey(
  { secretKeys }: Pick<Deps, 'secretKeys'>,
  userId: string,
  { row, password }: { readonly row: PayPasswordRow; readonly password: string },
): Promise<Buffer | undefined> {
  for (const key of secretKeys.filter((one) => row.keyId === null || row.keyId.equals(computeKeyId(one))))
    if (await passwordMatches(row.hash, pepperPassword(key, userId, password))) return key
  return undefined
}

export interface PayComparison extends PayResult {
  /** The hash that matched. */
  readonly hash?: string
  /** Too many wrong attempts in a row: a reset does not help. */
  readonly blocked: boolean
}

/** Comparisons in progress in this process, by user: the last of the queue, and its length. */
const pendingComparisons = new Map<string, { readonly last: Promise<unknown>; readonly length: number }>()
/** More in parallel cannot be a person; they are compared without queueing. */
const MAX_QUEUED = 20

/**
 * Serializes the comparisons of a user: a correct one refunds its attempt before the next is counted, so parallel correct ones do not lock
 * each other out.
 */
function serializeByUser<T>(userId: string, work: () => Promise<T>): Promise<T> {
  const before = pendingComparisons.get(userId)
  if (before && before.length >= MAX_QUEUED) return work()
  const turn = before ? before.last.then(work) : work()
  const last = turn.then(
    () => undefined,
    () => undefined,
  )
  pendingComparisons.set(userId, { last, length: (before?.length ?? 0) + 1 })
  void last.then(() => {
    if (pendingComparisons.get(userId)?.last === last) pendingComparisons.delete(userId)
  })
  return turn
}

/**
 * Compares a payment password. The attempt is counted first, in its own statement: of any number of parallel attempts at most five are
 * compared until a reset by code, and at most twenty in a row across resets (money.md A2). Runs on the pool: never call it inside a
 * transaction, whose rollback would refund the attempt.
 */
export function comparePayPassword(deps: Deps, userId: string, password: string): Promise<PayComparison> {
  return serializeByUser(userId, () => comparePassword(deps, userId, password))
}

async function comparePassword(deps: Deps, userId: string, password: string): Promise<PayComparison> {
  const max = { tries: PAY_PASSWORD_TRIES, streak: await deps.settings.get(payPasswordStreak) }
  const row = await countPayAttempt(deps.db, userId, { max, keyIds: deps.secretKeys.map(computeKeyId) })
  if (!row) {
    const standing = await findPayPassword(deps.db, userId)
    if (!standing) return { resultType: PAY_RESULT.notSet, failCount: 0, blocked: false }
    // hashed with a removed key, so it cannot be compared; it is reset by a code like a locked one
    return { resultType: PAY_RESULT.limitExceeded, failCount: Math.min(standing.tries, max.tries), blocked: standing.streak >= max.streak }
  }
  const key = await findMatchingKey(deps, userId, { row, password })
  if (key) {
    await resetPayAttempts(deps.db, userId, row.hash)
    return { resultType: PAY_RESULT.success, failCount: 0, hash: await ensureCurrentHash(deps, userId, { row, key, password }), blocked: false }
  }
  const blocked = row.streak >= max.streak
  const locked = blocked || row.tries >= max.tries
  if (locked) countEvent('pay_password_locked')
  await transact(deps.db, { kind: 'user', id: userId }, (tx) =>
    tx.audit(locked ? 'account.pay-password-locked' : 'account.pay-password-wrong', `user:${userId}`, { tries: row.tries, streak: row.streak }),
  )
  return { resultType: locked ? PAY_RESULT.limitExceeded : PAY_RESULT.wrong, failCount: row.tries, blocked }
}

/** Current hash, re-created if it was made with another key than the current one. */
async function ensureCurrentHash(
  deps: Deps,
  userId: string,
  { row, key, password }: { readonly row: PayPasswordRow; readonly key: Buffer; readonly password: string },
): Promise<string> {
  if (row.keyId !== null && key.equals(deps.secretKey)) return row.hash
  const fresh = await hashPayPassword(deps, userId, password)
  return (await rekeyPayHash(deps.db, userId, { old: row.hash, hash: fresh })) ? fresh.hash : row.hash
}

/**
 * Requires the payment password: returns if it is correct, else throws PAY_PASSWORD_NOT_SET, PAY_PASSWORD_WRONG with `failCount` and
 * `triesLeft`, PAY_PASSWORD_LOCKED or PAY_PASSWORD_BLOCKED (spread `payPasswordErrors` of features/account/errors.ts into the feature's own).
 * Call it before the transaction it guards.
 */
export async function requirePayPassword(deps: Deps, userId: string, password: string): Promise<void> {
  const { resultType, failCount, blocked } = await comparePayPassword(deps, userId, password)
  if (resultType === PAY_RESULT.success) return
  if (resultType === PAY_RESULT.notSet) fail('PAY_PASSWORD_NOT_SET')
  if (resultType === PAY_RESULT.wrong) fail('PAY_PASSWORD_WRONG', { failCount, triesLeft: PAY_PASSWORD_TRIES - failCount })
  fail(blocked ? 'PAY_PASSWORD_BLOCKED' : 'PAY_PASSWORD_LOCKED')
}
