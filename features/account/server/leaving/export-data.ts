import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { requireAllowed } from '#features/risk/server/door.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireProven } from '../sessions/sessions.ts'
import { exportsPerDay } from '../settings.ts'

/** All data that features keep about the user, keyed by feature. */
export async function exportData(ctx: Ctx): Promise<ReplyOf<typeof securityContract.exportData>> {
  await requireProven(ctx)
  await requireAllowed(ctx.db, 'account.export', {
    subject: ctx.userId,
    limit: await ctx.settings.get(exportsPerDay),
    windowSeconds: 86_400,
    now: ctx.clock.now(),
  })
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('account.exported', `user:${ctx.userId}`, { ip: ctx.ip }))
  const parts = await Promise.all([...(ctx.personal ?? [])].map(async ([name, { exportOf }]) => [name, await exportOf?.(ctx, ctx.userId)] as const))
  return { generatedAt: ctx.clock.now().toISOString(), data: Object.fromEntries(parts.filter(([, part]) => part !== undefined)) }
}
