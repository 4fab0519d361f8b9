import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { ProxyAccount, ProxyUse } from '../../contract.ts'
import type { Use } from '../data.ts'
import { translateExitName, listOpenExits } from '../exits.ts'
import type { Exit } from '../engine/exits.ts'
import { resolveProxyAddress } from '../proxy-address.ts'
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
    exit: { id: use.exit_id, name: resolveExitName(exits, use.exit_id, lang) },
    startedTime: use.created_at.toISOString(),
    expiresTime: use.expires_at.toISOString(),
    remainingTime: Math.max(0, Math.ceil((use.expires_at.getTime() - use.now.getTime()) / 1000)),
    upBytes: Number(use.up_bytes),
    downBytes: Number(use.down_bytes),
    allowedBytes: (await deps.settings.get(proxyMegabytes)) * 1_000_000,
    tunnels: Number(use.tunnels),
    refused: Number(use.refused),
  }
}

export function buildUseView(ctx: Ctx, exits: readonly Exit[], use: Use): ProxyUse {
  const end = use.ended_at ?? use.expires_at
  return {
    id: use.id,
    taskId: use.ref,
    exit: resolveExitName(exits, use.exit_id, ctx.lang),
    startedTime: use.created_at.toISOString(),
    endedTime: end.toISOString(),
    isLive: use.ended_at === null && use.expires_at > use.now,
    upBytes: Number(use.up_bytes),
    downBytes: Number(use.down_bytes),
    tunnels: Number(use.tunnels),
    refused: Number(use.refused),
  }
}
