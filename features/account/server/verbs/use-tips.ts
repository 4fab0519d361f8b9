import type { Ctx } from '#platform/server/feature.ts'
import { addTip, findPreferences } from '../data-profile.ts'

const MAX = 200

/** One-time tips that the user has seen, so that another browser does not show them again. */
export async function useTips(ctx: Ctx, { tip }: { tip?: string | undefined }): Promise<{ seen: string[] }> {
  if (tip !== undefined) await addTip(ctx.db, ctx.userId, tip, MAX)
  return { seen: [...((await findPreferences(ctx.db, ctx.userId))?.tips ?? [])] }
}
