import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'

type Blockers = ReplyOf<typeof securityContract.closeCheck>

/** Collects each feature's reasons why the account cannot be closed now. */
export async function closeCheck(ctx: Ctx): Promise<Blockers> {
  const asked = await Promise.all([...(ctx.personal ?? [])].map(async ([, { blockersOf }]) => blockersOf?.(ctx, ctx.userId, ctx.lang) ?? []))
  return { blockers: asked.flat() }
}
