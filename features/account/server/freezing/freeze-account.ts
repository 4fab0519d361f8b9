import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { deleteSessions, freezeParts, freezeUser, lockForFreeze, thawParts, thawUser } from './data.ts'
import { FREEZE_SCOPES, toFreezeParts } from './scopes.ts'
import type { FreezePart, FreezeScope } from './scopes.ts'

const AUDIT_NAMES: Readonly<Record<FreezePart, string>> = { money_out: 'payouts', calls: 'calls' }

/**
 * Freezes a user. `all`: ends sessions, refuses sign-ins, and API keys return 401 in every process within a second; calls in progress are
 * settled and the money stays. `money_out`: refuses payouts, everything else works. `calls`: refuses API calls, also within a second. `reason`
 * is shown to operators only. Emits `account.frozen { userId }` for `all` only. Throws NOT_FOUND if nothing is left to freeze.
 */
export async function freezeAccount(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  by: Actor,
  { userId, reason, scopes = ['all'] }: { readonly userId: string; readonly reason: string; readonly scopes?: readonly FreezeScope[] },
): Promise<void> {
  const frozen = { at: clock.now(), reason, by: `${by.kind}:${by.id}` }
  await transact(db, by, async (tx) => {
    if (!(await lockForFreeze(tx, userId))) fail('NOT_FOUND')
    const whole = scopes.includes('all') && (await freezeUser(tx, userId, frozen))
    const parts = await freezeParts(tx, userId, { scopes: toFreezeParts(scopes), frozen })
    if (!whole && !parts.length) fail('NOT_FOUND')
    for (const part of parts) await tx.audit(`account.${AUDIT_NAMES[part]}-frozen`, `user:${userId}`, { reason })
    if (!whole) return
    const ended = await deleteSessions(tx, userId)
    await tx.audit('account.frozen', `user:${userId}`, { reason, ended })
    await tx.emit('account.frozen', { userId })
  })
}

/**
 * Ends freezes, by default all of them. For the whole account, API keys work again, users must sign in again, and `account.thawed { userId }`
 * is emitted. Throws NOT_FOUND if none of it is frozen.
 */
export async function thawAccount(
  { db }: Pick<Deps, 'db'>,
  by: Actor,
  { userId, reason, scopes = FREEZE_SCOPES }: { readonly userId: string; readonly reason: string; readonly scopes?: readonly FreezeScope[] },
): Promise<void> {
  await transact(db, by, async (tx) => {
    if (!(await lockForFreeze(tx, userId))) fail('NOT_FOUND')
    const whole = scopes.includes('all') && (await thawUser(tx, userId))
    const parts = await thawParts(tx, userId, toFreezeParts(scopes))
    if (!whole && !parts.length) fail('NOT_FOUND')
    for (const part of parts) await tx.audit(`account.${AUDIT_NAMES[part]}-thawed`, `user:${userId}`, { reason })
    if (!whole) return
    // A sign-in that overlapped with the freeze may have opened a session.
    const ended = await deleteSessions(tx, userId)
    await tx.audit('account.thawed', `user:${userId}`, { reason, ended })
    await tx.emit('account.thawed', { userId })
  })
}
