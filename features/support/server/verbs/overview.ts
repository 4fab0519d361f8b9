import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { supportContract } from '../../contract.ts'
import { listOwn } from '../data.ts'
import { readDeskStatus } from '../desk/desk.ts'
import { toConversationHead } from '../views.ts'
import { resolveConversationOwner, findSupportContact } from '../contact.ts'
import { readSupportConfig } from '../config.ts'
import { widgetProvider, widgetPlace, widgetTexts, widgetTimes } from '../settings.ts'
import { chooseWidgetVendor } from '../vendors/index.ts'

/** Data for the page to start the chosen widget. Only the caller's own identity is ever signed. */
export async function bootWidget(ctx: Ctx): Promise<ReplyOf<typeof supportContract.widget>> {
  const config = readSupportConfig(ctx.config)
  const vendor = chooseWidgetVendor(await ctx.settings.get(widgetProvider), config)
  const contact = vendor.needsContact && ctx.userId ? await findSupportContact(ctx.db, ctx.userId) : undefined
  const [times, place, texts] = [await ctx.settings.get(widgetTimes), await ctx.settings.get(widgetPlace), await ctx.settings.get(widgetTexts)]
  return { provider: vendor.id, ...vendor.boot(config, contact), times, place, texts: texts[ctx.lang] }
}

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
