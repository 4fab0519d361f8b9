import type { Ctx } from '#platform/server/feature.ts'
import { addTip, findPreferences } from './data.ts'

const MAX = 200

/**
 * Records one-time tips that the user has seen, so that other browsers do not show them again. If several browsers send the same tip
 * concurrently, one of them shows it.
 */
export async function useTips(ctx: Ctx, { tip }: { tip?: string | undefined }): Promise<{ seen: string[]; isFirst: boolean }> {
  const isFirst = tip !== undefined && (await addTip(ctx.db, ctx.userId, { tip, max: MAX }))
  return { isFirst, seen: [...((await findPreferences(ctx.db, ctx.userId))?.tips ?? [])] }
}
