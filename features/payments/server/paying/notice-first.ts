import type { Ctx } from '#platform/server/feature.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import type { TradeMethod, OrderRow } from '../data.ts'
import { isNoticeRead } from './data-notice-reads.ts'
import { payNotice } from '../settings.ts'

const WECHAT = 2

/**
 * The page to be read before this order is opened this way; undefined where nothing is to be read, or was. It carries what
 * it needs to go on: the order, the way to pay, and where the payer was.
 */
export async function findUnreadNoticeUrl(ctx: Ctx, order: OrderRow, method: TradeMethod, redirectUrl?: string): Promise<string | undefined> {
  const { h5From, wechatOnComputers } = await ctx.settings.get(payNotice)
  const isAsked = method.tradeFrom === 'H5' ? h5From !== null && order.amount_nano >= parseUsd(h5From) : wechatOnComputers && method.transactionType === WECHAT
  if (!isAsked || (await isNoticeRead(ctx.db, order.id))) return undefined
  const own = parseOwnPath(redirectUrl)
  const query = new URLSearchParams({
    orderNo: order.order_no,
    channelType: String(method.channelType),
    transactionType: String(method.transactionType),
    tradeFrom: method.tradeFrom,
    ...(own ? { redirect: own } : {}),
  })
  return `${ctx.siteUrl()}${ctx.lang === 'en' ? '/en' : ''}/pay-notice?${query.toString()}`
}
