import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { ProxyAccount, ProxyUse } from '../../contract.ts'
import type { Use } from '../data.ts'
import { translateExitName, listOpenExits, resolveProxyAddress } from '../proxy-address.ts'
import type { Exit } from '../engine/exits.ts'
import { proxyMegabytes } from '../settings.ts'
import { unsealUsePassword } from './open-use.ts'

const resolveExitName = (exits: readonly Exit[], id: string, lang: Lang) => {
  const exit = exits.find((one) => one.id === id)
  return exit ? translateExitName(exit, lang) : id
}

/** A use with its password: for its owner, or an extension that its owner signed in. */
export async function buildAccountView(deps: Deps, use: Use, lang: Lang): Promise<ProxyAccount> {
  const exits = await listOpenExits(deps)
  return {
    id: use.id,
    username: use.username,
    password: unsealUsePassword(deps, use),
    ...resolveProxyAddress(deps),
    exit: { id: use.exitId, name: resolveExitName(exits, use.exitId, lang) },
    startedTime: use.createdAt.toISOString(),
    expiresTime: use.expiresAt.toISOString(),
    remainingTime: Math.max(0, Math.ceil((use.expiresAt.getTime() - use.now.getTime()) / 1000)),
    upBytes: Number(use.upBytes),
    downBytes: Number(use.downBytes),
    allowedBytes: (await deps.settings.get(proxyMegabytes)) * 1_000_000,
    tunnels: Number(use.tunnels),
    refused: Number(use.refused),
  }
}

export function buildUseView(ctx: Ctx, exits: readonly Exit[], use: Use): ProxyUse {
  const end = use.endedAt ?? use.expiresAt
  return {
    id: use.id,
    taskId: use.ref,
    exit: resolveExitName(exits, use.exitId, ctx.lang),
    startedTime: use.createdAt.toISOString(),
    endedTime: end.toISOString(),
    isLive: use.endedAt === null && use.expiresAt > use.now,
    upBytes: Number(use.upBytes),
    downBytes: Number(use.downBytes),
    tunnels: Number(use.tunnels),
    refused: Number(use.refused),
  }
}
