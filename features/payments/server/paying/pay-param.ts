import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { parseOwnPath } from '#platform/shared/own-path.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import type { paymentsContract } from '../../contract.ts'
import type { PayParams } from '../../contract-shapes.ts'
import { formatOrderSubject } from '../../texts-titles.ts'
import * as data from '../data.ts'
import type { TradeMethod, OrderRow } from '../data.ts'
import { countAttempts, finishAttempt, insertAttempt, markDispatched, selectUsableAttempt } from '../trades/data-attempts.ts'
import { computeOfferedDiscount } from '../kinds/discounts.ts'
import { findOrderKind, toSoldOrder } from '../kinds/index.ts'
import { resolveFeeTerms, requirePayMethod, isAllowedInRegion, resolveRegionMethod } from '../offer/offer.ts'
import { findChannelById, createChannelTools } from '../vendors/index.ts'
import type { Channel, OpenOutcome } from '../vendors/port.ts'
import { computeSecondsLeft } from '../states/view.ts'
import { isNoticeRead } from './data-notice-reads.ts'
import { payNotice } from '../settings.ts'
import { LANGUAGES } from '#platform/shared/languages.ts'

/**
 * Notice page to read before this order is opened this way; undefined if none is required or it was read. The URL carries the data to
 * continue: order, payment method, and the page the payer came from.
 */
async function findUnreadNoticeUrl(
  ctx: Ctx,
  order: OrderRow,
  { method, redirectUrl }: { readonly method: TradeMethod; readonly redirectUrl?: string },
): Promise<string | undefined> {
  const { h5From, wechatOnComputers } = await ctx.settings.get(payNotice)
  const isAsked =
    method.tradeFrom === 'H5' ? h5From !== null && order.amountNano >= parseUsd(h5From) : wechatOnComputers && method.transactionType === PAY_METHODS.wechat.id
  if (!isAsked || (await isNoticeRead(ctx.db, order.id))) return undefined
  const own = parseOwnPath(redirectUrl)
  const query = new URLSearchParams({
    orderNo: order.orderNo,
    channelType: String(method.channelType),
    transactionType: String(method.transactionType),
    tradeFrom: method.tradeFrom,
    ...(own ? { redirect: own } : {}),
  })
  return `${ctx.siteUrl()}${LANGUAGES[ctx.lang].path}/pay-notice?${query.toString()}`
}

/** Parameters about to expire are not returned again. */
const REUSE_SECONDS = 20
const REQUERY_SECONDS = 4

/**
 * Opens the order at a channel. The attempt is committed as dispatched before the call is sent. A lost response makes the order `unknown`,
 * which the channel's query resolves; a second trade is never opened (P4).
 */
export const payParam: Handler<typeof paymentsContract.payParam> = (ctx, input) => openOrder(ctx, input, false)

/** Opens an order that has waited for its payer's face check (`isAuth`), whose result is queried first. */
export const extraPayParam: Handler<typeof paymentsContract.extraPayParam> = (ctx, input) => openOrder(ctx, input, true)

async function openOrder(ctx: Ctx, input: Parameters<typeof payParam>[1], isBack: boolean): Promise<PayParams> {
  const method: TradeMethod = { channelType: input.channelType, transactionType: input.transactionType, tradeFrom: input.tradeFrom }
  const order = (await data.selectOrderByNo(ctx.db, input.order_id, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  requireUnexpired(order)
  await findOrderKind(order.orderType)?.mayPay?.(ctx, toSoldOrder(order), isBack)
  const channel = findChannelById(ctx, method.channelType) ?? fail('CHANNEL_UNAVAILABLE')
  await requirePayMethod(ctx, channel, { tradeFrom: method.tradeFrom, transactionType: method.transactionType })
  if (!isAllowedInRegion(await resolveRegionMethod(ctx), method.channelType, method.transactionType)) fail('CHANNEL_UNAVAILABLE')
  const noticeUrl = await findUnreadNoticeUrl(ctx, order, { method, redirectUrl: input.redirectUrl })
  if (noticeUrl) fail('PAY_NOTICE_UNREAD', { noticeUrl })
  // The figures were frozen for one fee and one currency; another channel may differ.
  const { feePercent, fixedFee } = await resolveFeeTerms(ctx, method.channelType, order.orderType)
  const sameFigures = channel.manifest.currency === order.currency && feePercent === order.feePercent && parseUsd(fixedFee) === order.fixedNano
  if ((method.channelType !== order.channelType && !sameFigures) || !(await isDiscountKept(ctx, order, method))) fail('CHANNEL_OTHER_FEE')
  const usable = order.declined ? undefined : await selectUsableAttempt(ctx.db, order.id, { method, seconds: REUSE_SECONDS })
  if (usable) return toPayParams(order, { ...usable.opened, expiresAt: usable.expiresAt }, usable.now)

  const { attemptId, tradeNo } = await prepareAttempt(ctx, channel, { orderRow: order, method })
  await markDispatched(ctx.db, attemptId)
  crashPoint('payments.before-provider-call')
  const opened = await callChannel(ctx, channel, { order, method, tradeNo, redirectUrl: input.redirectUrl })
  crashPoint('payments.after-provider-call')
  await recordOutcome(ctx, order.id, { attemptId, outcome: opened })
  if (opened.kind === 'lost') return fail('PAY_PROCESSING')
  if (opened.kind === 'refused') return fail('CHANNEL_REFUSED')
  return toPayParams(order, opened, ctx.clock.now())
}

/** True if the discount survives a change of method: it is granted only if the channel identifies the payer, and another method may not. */
async function isDiscountKept(ctx: Ctx, order: OrderRow, { channelType, transactionType }: TradeMethod): Promise<boolean> {
  if (order.discountNano === 0n || (channelType === order.channelType && transactionType === order.transactionType)) return true
  return (await computeOfferedDiscount(ctx, ctx.db, { userId: ctx.userId, orderType: order.orderType, channelType, transactionType })) >= order.discountNano
}

type Outcome = OpenOutcome | { readonly kind: 'lost'; readonly reason: string }

function requireUnexpired(order: OrderRow): void {
  if (computeSecondsLeft(order) <= 0) fail('ORDER_NOT_PAYABLE')
}

async function prepareAttempt(ctx: Ctx, channel: Channel, { orderRow: { id }, method }: { readonly orderRow: OrderRow; readonly method: TradeMethod }) {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const order = await data.lockOrder(tx, id)
    requireUnexpired(order)
    const before = await countAttempts(tx, id, method)
    const again = channel.manifest.reopens === 'new' ? before : 0
    const tradeNo = `${order.orderNo}-${method.channelType}${method.transactionType}${method.tradeFrom.slice(0, 1)}${again || ''}`
    const attemptId = await insertAttempt(tx, id, { method, tradeNo })
    const facts = { method: String(method.transactionType) }
    if (order.state === 'created') await data.moveOrder(tx, order, { to: 'paying', reason: 'opened at a channel', told: { facts } })
    else if (before === 0) await data.noteStep(tx, order, { event: 'opened', reason: 'opened with another method', facts })
    await data.scheduleCheck(tx, id, new Date(order.now.getTime() + REQUERY_SECONDS * 5000))
    await tx.audit('order.opened', `order:${order.orderNo}`, { ...method, tradeNo })
    return { attemptId, tradeNo }
  })
}

async function callChannel(
  ctx: Ctx,
  channel: Channel,
  { order, method, tradeNo, redirectUrl }: { readonly order: OrderRow; readonly method: TradeMethod; readonly tradeNo: string; readonly redirectUrl?: string },
): Promise<Outcome> {
  const tools = createChannelTools(ctx)
  try {
    return await channel.open(tools, {
      tradeNo,
      payMinor: order.payMinor,
      currency: order.currency,
      orderAmount: formatUsd(order.amountNano),
      subject: formatOrderSubject(ctx.config.BRAND_NAME, order.orderType, formatUsd(order.amountNano)),
      transactionType: method.transactionType,
      tradeFrom: method.tradeFrom,
      notifyUrl: `${tools.publicUrl()}/notify/${channel.manifest.name}`,
      returnUrl: buildReturnUrl(ctx.siteUrl(), order.orderNo, redirectUrl),
      expiresAt: order.expiresAt,
      payerIp: ctx.ip,
      payerAgent: ctx.userAgent,
      lang: ctx.lang,
    })
  } catch (error) {
    const { kind, message } = asSupplierError(error)
    ctx.log.warn({ err: error, orderNo: order.orderNo }, 'a channel opened no trade, or did not say so')
    // Rejected or not started: no trade exists, so another method or another attempt is open at once.
    return { kind: kind === 'unknown' ? 'lost' : 'refused', reason: message }
  }
}

async function recordOutcome(ctx: Ctx, orderId: bigint, { attemptId, outcome }: { readonly attemptId: bigint; readonly outcome: Outcome }): Promise<void> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    const order = await data.lockOrder(tx, orderId)
    if (outcome.kind === 'opened') {
      await finishAttempt(tx, attemptId, { state: 'succeeded', opened: outcome })
      if (order.state === 'unknown') await data.moveOrder(tx, order, { to: 'paying', reason: 'the channel opened it' })
    } else if (outcome.kind === 'refused') {
      await finishAttempt(tx, attemptId, { state: 'failed', reason: outcome.reason })
    } else {
      await finishAttempt(tx, attemptId, { state: 'unknown', reason: outcome.reason })
      if (order.state === 'paying') await data.moveOrder(tx, order, { to: 'unknown', reason: 'the channel did not answer' })
      await data.scheduleCheckWithin(tx, orderId, REQUERY_SECONDS)
    }
    await tx.audit(`order.open_${outcome.kind}`, `order:${order.orderNo}`, {})
  })
}

/** Only a path of this site may be carried through the payment (H4). */
function buildReturnUrl(siteUrl: string, orderNo: string, redirectUrl?: string): string {
  const own = parseOwnPath(redirectUrl)
  return `${siteUrl}/pay-result?orderNo=${orderNo}${own ? `&redirect=${encodeURIComponent(own)}` : ''}`
}

function toPayParams(order: OrderRow, opened: Extract<OpenOutcome, { kind: 'opened' }>, now: Date): PayParams {
  const { form, payUrl, payHtml, qr, expiresAt } = opened
  return {
    orderNo: order.orderNo,
    form,
    payUrl,
    payHtml,
    ...(qr === undefined ? {} : { qr }),
    timeExpireTime: Math.max(0, Math.floor((Math.min(expiresAt.getTime(), order.expiresAt.getTime()) - now.getTime()) / 1000)),
  }
}
