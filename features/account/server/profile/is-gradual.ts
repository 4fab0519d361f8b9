import type { Ctx } from '#platform/server/feature.ts'
import { inGradualGroup } from '../gradual.ts'

export async function isGradual(ctx: Ctx): Promise<{ isGradual: boolean }> {
  return { isGradual: await inGradualGroup(ctx, ctx.userId) }
}
