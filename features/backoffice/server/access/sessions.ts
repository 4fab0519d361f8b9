import { BlockList, isIP, isIPv6 } from 'node:net'
import type { Ctx, Deps, SignedOperator } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { storeMarks, hashMark, buildPlaceMarks, normalizeMailbox, toStaffSubject } from '#features/risk/server/door.ts'
import { resolvePermissions } from '../../permissions.ts'
import { findOperator } from './data.ts'
import { networks } from '../settings.ts'
import { findSession, findToken, insertSession, touchSession, touchToken } from './data-sessions.ts'
import type { SessionRow } from './data-sessions.ts'
import { hashOperatorSecret, createOperatorSecret } from './secrets.ts'

const IDLE_MS = 30 * 60_000
const MAX_SESSION_MS = 12 * 3_600_000
const TOUCH_INTERVAL_MS = 30_000
const TOKEN = /^op[st]_[\w-]{43}$/

/** Earliest last-seen and creation times of a live session. */
export const computeLiveSince = (now: Date) => ({ seen: new Date(now.getTime() - IDLE_MS), made: new Date(now.getTime() - MAX_SESSION_MS) })

/** The token is returned once and not stored. */
export async function openOperatorSession(
  ctx: Ctx,
  tx: Tx,
  { operatorId, method }: { readonly operatorId: string; readonly method: SessionRow['method'] },
): Promise<{ token: string; sessionId: string }> {
  const now = ctx.clock.now()
  const [token, id] = [createOperatorSecret('ops'), createId('ops', now.getTime())]
  const operator = await findOperator(tx, operatorId)
  if (operator)
    await storeMarks(tx, toStaffSubject(operatorId), { marks: [hashMark(ctx, 'mailbox', normalizeMailbox(operator.mail)), ...buildPlaceMarks(ctx, ctx)], now })
  await insertSession(tx, {
    id,
    hash: hashOperatorSecret(token),
    operatorId,
    method,
    ip: ctx.ip,
    userAgent: ctx.userAgent.slice(0, 300),
    createdAt: now,
  })
  return { token, sessionId: id }
}

/**
 * Resolves a token to its operator. Every request reads the operator's status and roles from the database, so a suspension takes effect on all
 * nodes at once.
 */
export async function authenticateOperator(deps: Deps, token: string, { ip }: { ip: string }): Promise<SignedOperator | undefined> {
  if (!TOKEN.test(token) || !(await isAllowedNetwork(deps, ip))) return undefined
  const now = deps.clock.now()
  return token.startsWith('opt_') ? authenticateToken(deps, token, now) : authenticateSession(deps, token, now)
}

async function authenticateSession({ db }: Deps, token: string, now: Date): Promise<SignedOperator | undefined> {
  const { seen, made } = computeLiveSince(now)
  const session = await findSession(db, hashOperatorSecret(token), { seenSince: seen, madeSince: made })
  if (!session) return undefined
  if (now.getTime() - session.lastSeenAt.getTime() >= TOUCH_INTERVAL_MS) await touchSession(db, session.id, now)
  return { id: session.operatorId, by: 'session', sessionId: session.id, permissions: resolvePermissions(session.roles), provenAt: session.provenAt }
}

/** A token keeps only the permissions that its operator still has. */
async function authenticateToken({ db }: Deps, token: string, now: Date): Promise<SignedOperator | undefined> {
  const found = await findToken(db, hashOperatorSecret(token), now)
  if (!found) return undefined
  if (!found.lastUsedAt || now.getTime() - found.lastUsedAt.getTime() >= TOUCH_INTERVAL_MS) await touchToken(db, found.id, now)
  const own = resolvePermissions(found.roles)
  return {
    id: found.operatorId,
    by: 'token',
    sessionId: found.id,
    permissions: new Set(found.permissions.filter((each) => own.has(each))),
    provenAt: new Date(0),
  }
}

/** Allows any address unless networks are configured. */
export async function isAllowedNetwork({ settings }: Pick<Deps, 'settings'>, ip: string): Promise<boolean> {
  const allowed = await settings.get(networks)
  if (!allowed.length) return true
  const plain = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIP(plain)) return false
  const list = new BlockList()
  for (const network of allowed) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
