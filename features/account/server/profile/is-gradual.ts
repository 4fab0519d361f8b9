import type { Ctx } from '#platform/server/feature.ts'
import { isInGradualGroup } from '../gradual.ts'

export async function readGradualStatus(ctx: Ctx): Promise<{ isGradual: boolean }> {
  return { isGradual: await isInGradualGroup(ctx, ctx.userId) }
}
