import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { supportContract } from '../../contract.ts'
import { listOwn } from '../data.ts'
import { readDeskStatus } from '../desk/desk.ts'
import { toConversationHead } from '../views.ts'
import { resolveConversationOwner } from '../visitor.ts'

type Overview = typeof supportContract.overview

/** The caller's conversations, newest first, and the opening hours. Empty list for a caller without conversations. */
export async function overview(ctx: Ctx, { visitorToken }: InputOf<Overview>): Promise<ReplyOf<Overview>> {
  const owner = resolveConversationOwner(ctx, visitorToken)
  const rows = owner.userId || owner.visitorId ? await listOwn(ctx.db, owner) : []
  return {
    desk: await readDeskStatus(ctx.settings, ctx.clock.now()),
    unread: rows.reduce((sum, { unread }) => sum + unread, 0),
    conversations: rows.map(toConversationHead),
  }
}
