import { createHash, randomBytes } from 'node:crypto'
import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { selectInactiveUsers } from '#features/account/server/door.ts'
import { uncountEvent, toIpSubject, requireAllowed } from '#features/risk/server/door.ts'
import type { proxyContract } from '../../contract.ts'
import { selectLiveUse, endExtension, selectExtensions, recordExtensionUse, insertExtensionCode, insertExtension, consumeExtensionCode } from '../data.ts'
import { extensionCodeMinutes, extensionTries } from '../settings.ts'
import { buildAccountView } from '../uses/view.ts'

type Verb<K extends keyof typeof proxyContract> = Handler<(typeof proxyContract)[K]>

const hashText = (kind: string, text: string) => createHash('sha256').update(`proxy.${kind}:${text}`).digest()
/** 40 random bits; enough, as a code lives for minutes and tries are limited. */
const CODE_LENGTH = 8
const HOUR = 3600

export const createExtensionCode: Verb<'extensionCode'> = async (ctx) => {
  const text = createRandomCode(CODE_LENGTH)
  const minutes = await ctx.settings.get(extensionCodeMinutes)
  const expires = await transact(ctx.db, ctx.actor, async (tx) => {
    const at = await insertExtensionCode(tx, hashText('code', text), { userId: ctx.userId, minutes })
    await tx.audit('proxy.code-made', `user:${ctx.userId}`)
    return at
  })
  return { code: text, expiresTime: expires.toISOString() }
}

/** Replaces letters that look like digits with those digits; the codes' alphabet has no such letters. */
const normalizeCode = (text: string) => text.replaceAll('O', '0').replace(/[IL]/g, '1').replaceAll('U', 'V')

export const linkExtension: Verb<'extensionLink'> = async (ctx, { code: given, name }) => {
  const subject = toIpSubject(ctx.ip)
  await requireAllowed(ctx.db, 'proxy.code', { subject, limit: await ctx.settings.get(extensionTries), windowSeconds: HOUR, now: ctx.clock.now() })
  const token = randomBytes(32).toString('base64url')
  // anybody may: the code is what proves who it is
  const userId = await transact(ctx.db, ctx.actor, async (tx) => {
    const owner = await consumeExtensionCode(tx, hashText('code', normalizeCode(given)))
    if (owner === undefined) return undefined
    const id = `ext_${createRandomCode(16).toLowerCase()}`
    await insertExtension(tx, { id, userId: owner, tokenHash: hashText('token', token), name })
    await tx.audit('proxy.extension-in', `extension:${id}`, { userId: owner })
    return owner
  })
  if (userId === undefined) return fail('PROXY_CODE_WRONG')
  await uncountEvent(ctx.db, 'proxy.code', subject)
  return { token }
}

export const readExtensionState: Verb<'extensionState'> = async (ctx, { token }) => {
  const userId = await recordExtensionUse(ctx.db, hashText('token', token))
  if (userId === undefined || (await selectInactiveUsers(ctx.db, [userId])).size) return fail('PROXY_EXTENSION_OUT')
  const use = await selectLiveUse(ctx.db, userId, 'proxy')
  return { account: use ? await buildAccountView(ctx, use, ctx.lang) : null }
}

export const listProxyExtensions: Verb<'extensionList'> = async (ctx) => ({
  rowList: (await selectExtensions(ctx.db, ctx.userId)).map(({ id, name, createdAt: created, seenAt: seen }) => ({
    id,
    name,
    createdTime: created.toISOString(),
    seenTime: seen.toISOString(),
  })),
})

export const removeExtension: Verb<'extensionRemove'> = async (ctx, { id }) => {
  const found = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await endExtension(tx, ctx.userId, id))) return false
    await tx.audit('proxy.extension-out', `extension:${id}`, { userId: ctx.userId })
    return true
  })
  return found ? {} : fail('NOT_FOUND')
}
