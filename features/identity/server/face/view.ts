import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { FaceCheckReply } from '../../contract-face.ts'
import { FACE_STATUS } from '../../contract-words.ts'
import type { CheckState } from '../../contract-words.ts'
import { facesPerDay } from '../settings.ts'
import { countChecksSince } from './data.ts'
import type { CheckRow } from './data.ts'

export const FACE_DAY_MS = 86_400_000

export const toFaceStatus = (state: CheckState): number =>
  state === 'processing' ? FACE_STATUS.PROCESSING : state === 'passed' ? FACE_STATUS.SUCCESS : FACE_STATUS.FAILURE

export async function buildFaceCheckReply(ctx: Pick<Ctx, 'clock' | 'settings'>, sql: Sql, row: CheckRow): Promise<FaceCheckReply> {
  const now = ctx.clock.now()
  const used = await countChecksSince(sql, row.userId, new Date(now.getTime() - FACE_DAY_MS))
  return {
    certifyId: row.id,
    url: row.url,
    state: row.state,
    status: toFaceStatus(row.state),
    secondsLeft: row.state === 'processing' ? Math.max(0, Math.round((row.expiresAt.getTime() - now.getTime()) / 1000)) : 0,
    triesLeft: Math.max(0, (await ctx.settings.get(facesPerDay)) - used.count),
  }
}
