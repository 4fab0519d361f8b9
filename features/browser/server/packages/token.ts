import { createHash, randomBytes } from 'node:crypto'
import type { Deps, Handler } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockActive } from '#features/account/server/door.ts'
import { endUses, listOpenExits, openUse, resolveProxyAddress } from '#features/proxy/server/door.ts'
import { toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import type { browserContract } from '../../contract.ts'
import { deleteToken, upsertToken, recordTokenUse } from '../data.ts'
import { sessionMinutes } from '../settings.ts'
import { findLivePackage } from './live.ts'

type Verb<K extends keyof typeof browserContract> = Handler<(typeof browserContract)[K]>

const hashBrowserToken = (token: string) => createHash('sha256').update(`browser.token:${token}`).digest()
/** Limit of sessions per hour and address, for all its users: clients renew once an hour. */
const MAX_SESSIONS_PER_HOUR = 600
const HOUR = 3600
/** Share of the credentials' lifetime after which the client renews. */
const RENEW_SHARE = 0.8

export const authToken: Verb<'authToken'> = async (ctx) => {
  const live = (await findLivePackage(ctx.db, ctx.userId)) ?? fail('BROWSER_NOT_LIVE')
  const token = randomBytes(32).toString('base64url')
  await transact(ctx.db, ctx.actor, async (tx) => {
    await upsertToken(tx, ctx.userId, hashBrowserToken(token))
    await endUses(tx, 'browser', ctx.userId)
    await tx.audit('browser.token-made', `user:${ctx.userId}`)
  })
  return { token, expiresTime: live.expiresAt!.toISOString() }
}

/** Deletes the token of a closed account or after a leak; the proxy closes its tunnels. Idempotent. */
export async function endBrowserToken({ db }: Deps, { userId }: { readonly userId: string }): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    if (await deleteToken(tx, userId)) await tx.audit('browser.token-ended', `user:${userId}`)
  })
}

export const browserSession: Verb<'browserSession'> = async (ctx, { token }) => {
  await requireAllowed(ctx.db, 'browser.session', { subject: toIpSubject(ctx.ip), limit: MAX_SESSIONS_PER_HOUR, windowSeconds: HOUR, now: ctx.clock.now() })
  const sessionMs = (await ctx.settings.get(sessionMinutes)) * 60_000
  // public: the token authenticates the caller
  const made = await transact(ctx.db, ctx.actor, async (tx) => {
    const used = await recordTokenUse(tx, hashBrowserToken(token))
    if (!used || !(await lockActive(tx, used.userId))) return 'wrong'
    const live = await findLivePackage(tx, used.userId)
    if (!live) return 'over'
    const until = Math.min(live.expiresAt!.getTime(), live.now.getTime() + sessionMs)
    const exitId = (await listOpenExits(ctx))[0]!.id
    const ref = `${live.id}:${hashBrowserToken(token).toString('hex').slice(0, 8)}:${used.session}`
    const { username, password } = await openUse(ctx, tx, {
      userId: used.userId,
      purpose: 'browser',
      ref,
      owner: used.userId,
      exitId,
      expiresAt: new Date(until),
      countedSince: new Date(live.now.getTime() - sessionMs),
    })
    await tx.audit('browser.session', `service:${live.id}`, { userId: used.userId })
    return { username, password, until, now: live.now.getTime() }
  })
  if (made === 'wrong') return fail('BROWSER_TOKEN_WRONG')
  if (made === 'over') return fail('BROWSER_NOT_LIVE')
  const { username, password, until, now } = made
  return {
    ...resolveProxyAddress(ctx),
    username,
    password,
    expiresTime: new Date(until).toISOString(),
    renewAfter: Math.floor(((until - now) / 1000) * RENEW_SHARE),
  }
}
