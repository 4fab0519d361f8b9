import type { Ctx, Handler } from '#platform/server/feature.ts'
import { bindToTransaction, transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { beginTask, moveTask, readServicePrice, readQuotaStatus, buildTaskView, workTask } from '#features/services/server/door.ts'
import type { proxyContract, ProxyAccount } from '../../contract.ts'
import { countUses, endUse, isProxyServed, selectLiveUse, selectUses } from '../data.ts'
import type { Use } from '../data.ts'
import { translateExitName, listOpenExits } from '../proxy-address.ts'
import { proxyMegabits, proxyMegabytes, proxyMinutes, proxyTunnels } from '../settings.ts'
import { buildAccountView, buildUseView } from './view.ts'

/**
 * Settings file in the export format of SwitchyOmega 2, which its successors (ZeroOmega) also read: a fixed profile with the credentials,
 * and an automatic one that bypasses the local network. Keys that begin with + are profiles.
 */
function buildOmegaProfile({ scheme, host, port, username, password }: Pick<ProxyAccount, 'scheme' | 'host' | 'port' | 'username' | 'password'>): string {
  const local = ['127.0.0.1', '::1', 'localhost', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((pattern) => ({
    conditionType: 'BypassCondition',
    pattern,
  }))
  return JSON.stringify(
    {
      'schemaVersion': 2,
      '-startupProfileName': 'mingxi',
      '-quickSwitchProfiles': ['direct', 'mingxi'],
      '-enableQuickSwitch': true,
      '-revertProxyChanges': true,
      '+mingxi': {
        name: 'mingxi',
        profileType: 'FixedProfile',
        color: '#16705b',
        fallbackProxy: { scheme, host, port },
        auth: { fallbackProxy: { username, password } },
        bypassList: local,
      },
    },
    null,
    2,
  )
}

type Verb<K extends keyof typeof proxyContract> = Handler<(typeof proxyContract)[K]>

export const readProxyStat: Verb<'proxyStat'> = async (ctx) => {
  const { settings } = ctx
  const [price, quota, exits, served] = await Promise.all([
    readServicePrice(ctx, 'proxy', 'use'),
    readQuotaStatus(ctx, ctx.db, { userId: ctx.userId, service: 'proxy' }),
    listOpenExits(ctx),
    isProxyServed(ctx.db),
  ])
  return {
    price: formatUsd(price),
    minutes: await settings.get(proxyMinutes),
    allowed: quota.allowed,
    used: quota.used,
    remainingCount: quota.left,
    isServed: served,
    exits: exits.map((exit) => ({ id: exit.id, name: translateExitName(exit, ctx.lang) })),
    limits: { tunnels: await settings.get(proxyTunnels), megabits: await settings.get(proxyMegabits), megabytes: await settings.get(proxyMegabytes) },
  }
}

/** Maximum of waiting tasks, so that a repeated click places no second order. */
const AT_ONCE = 2

export const applyForProxy: Verb<'proxyApply'> = async (ctx, { exit }) => {
  const exits = await listOpenExits(ctx)
  const chosen = exit === undefined ? exits[0] : exits.find(({ id }) => id === exit)
  if (!chosen) return fail('PROXY_EXIT_UNKNOWN')
  if (!(await isProxyServed(bindToTransaction(ctx).db))) return fail('PROXY_DOWN')
  // audited by beginTask
  const { task, pay } = await beginTask(ctx, ctx.tx, {
    service: 'proxy',
    userId: ctx.userId,
    product: 'use',
    facts: { exit: chosen.id },
    atOnce: AT_ONCE,
  })
  if (pay === null) ctx.tx.afterCommit(() => void workTask(ctx, task.id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a proxy use is delayed')))
  return { task: buildTaskView(task, ctx.lang), pay }
}

export const readAvailableProxy: Verb<'proxyAvailable'> = async (ctx) => {
  const use = await selectLiveUse(ctx.db, ctx.userId, 'proxy')
  return { account: use ? await buildAccountView(ctx, use, ctx.lang) : null }
}

const requireLiveUse = async (ctx: Ctx): Promise<Use> => (await selectLiveUse(ctx.db, ctx.userId, 'proxy')) ?? fail('PROXY_NOT_LIVE')

export const endProxyUse: Verb<'proxyEnd'> = async (ctx) => {
  const use = await requireLiveUse(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await moveTask(ctx, tx, { id: use.ref, from: ['using'], to: { to: 'ended', cause: 'stopped' } })
    await endUse(tx, 'proxy', use.ref)
    await tx.audit('proxy.ended', `use:${use.id}`, { userId: ctx.userId })
  })
  return {}
}

export const listProxyUses: Verb<'proxyUses'> = async (ctx, { pageNum, pageSize }) => {
  const [rows, totalRecord, exits] = await Promise.all([
    selectUses(ctx.db, ctx.userId, { limit: pageSize, offset: (pageNum - 1) * pageSize }),
    countUses(ctx.db, ctx.userId),
    listOpenExits(ctx),
  ])
  return { rowList: rows.map((use) => buildUseView(ctx, exits, use)), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

export const downloadOmegaProfile: Verb<'switchyOmega'> = async (ctx) => {
  const account = await buildAccountView(ctx, await requireLiveUse(ctx), ctx.lang)
  return {
    type: 'application/json; charset=utf-8',
    filename: 'OmegaOptions.bak',
    body: new Uint8Array(Buffer.from(buildOmegaProfile(account))),
  }
}
