import { z } from 'zod'
import { formatMinor, parseMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import type { ChannelTools, OpenCall, OpenOutcome, PayForm, TradeFact, TradeRef, RefundCall, RefundFact, RefundRef } from '../port.ts'
import { callAlipayGateway, fromAlipayTradeNo, toAlipaySubject, toAlipayTradeNo } from './client.ts'
import type { AlipayAccount } from './config.ts'

const refundAnswer = z.object({ out_trade_no: z.string(), trade_no: z.string(), fund_change: z.enum(['Y', 'N']).optional() })
/** No status: no refund exists under this number, or not yet. */
const refundQueryAnswer = z.object({ refund_status: z.string().optional(), refund_amount: z.string().optional() })

/** Refunds are idempotent by request number; a repeated request answers that no money moved this time. */
export async function sendAlipayRefund(account: AlipayAccount, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.refund',
    bizContent: {
      outTradeNo: toAlipayTradeNo(call.trade.tradeNo),
      outRequestNo: call.refundNo,
      refundAmount: formatMinor(call.minor),
      refundReason: call.reason.slice(0, 80),
    },
  })
  if (!answer.ok) return { status: 'refused', reason: answer.code }
  const reply = refundAnswer.parse(answer.data)
  if (fromAlipayTradeNo(reply.out_trade_no) !== call.trade.tradeNo) throw new Error('Alipay answered about another trade')
  if (reply.fund_change === 'Y') return { status: 'succeeded', channelRefund: call.refundNo }
  const standing = await queryAlipayRefund(account, tools, call)
  return standing.status === 'not_found' ? { status: 'pending' } : standing
}

export async function queryAlipayRefund(account: AlipayAccount, tools: ChannelTools, ref: RefundRef): Promise<RefundFact> {
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.fastpay.refund.query',
    bizContent: {
      outTradeNo: toAlipayTradeNo(ref.trade.tradeNo),
      outRequestNo: ref.refundNo,
    },
  })
  if (!answer.ok) {
    if (answer.code === 'ACQ.TRADE_NOT_EXIST' || answer.code === 'TRADE_NOT_EXIST') return { status: 'not_found' }
    throw new Error(`Alipay could not be asked about a refund: ${answer.code}`)
  }
  const { refund_status: refundStatus, refund_amount: refundAmount } = refundQueryAnswer.parse(answer.data)
  if (!refundAmount) return { status: 'not_found' }
  if (refundStatus !== 'REFUND_SUCCESS') return { status: 'pending', ...(refundStatus ? { reason: refundStatus } : {}) }
  if (parseMinor(refundAmount) !== ref.minor) throw new Error('Alipay refunded another amount under this number')
  return { status: 'succeeded', channelRefund: ref.refundNo }
}

/** Errors that leave the outcome open: a trade may exist under this number, so it is queried instead of refused. */
const DOUBTFUL = new Set(['ACQ.TRADE_HAS_SUCCESS', 'ACQ.CONTEXT_INCONSISTENT', 'ACQ.EXIST_FORBIDDEN_WORD_RETRY'])

const precreateAnswer = z.object({ out_trade_no: z.string(), qr_code: z.string().min(1).max(1024) })
const tradeAnswer = z.object({
  out_trade_no: z.string(),
  trade_no: z.string().min(1),
  trade_status: z.enum(['WAIT_BUYER_PAY', 'TRADE_CLOSED', 'TRADE_SUCCESS', 'TRADE_FINISHED']),
  total_amount: z.string(),
  trans_currency: z.string().optional(),
  send_pay_date: z.string().optional(),
  buyer_user_id: z.string().optional(),
  buyer_open_id: z.string().optional(),
})

export async function openAlipayTrade(account: AlipayAccount, tools: ChannelTools, call: OpenCall): Promise<OpenOutcome> {
  const isPhone = call.tradeFrom === 'H5'
  const form = isPhone ? account.mobile : account.desktop
  const trade = {
    outTradeNo: toAlipayTradeNo(call.tradeNo),
    totalAmount: formatMinor(call.payMinor),
    subject: toAlipaySubject(call.subject),
    sellerId: account.sellerId,
    timeExpire: toShanghaiTime(call.expiresAt),
  }
  if (form === 'qr') return precreate(account, tools, { call, trade })
  return buildPage(account, tools, {
    call,
    form,
    bizContent: {
      ...trade,
      productCode: isPhone ? 'QUICK_WAP_WAY' : 'FAST_INSTANT_TRADE_PAY',
      // Mode 4 draws only the code and may be framed; mode 2 is Alipay's whole page and may not.
      ...(isPhone ? { quitUrl: call.returnUrl } : form === 'form' ? { qrPayMode: '4', qrcodeWidth: 200 } : { qrPayMode: '2' }),
    },
  })
}

async function precreate(
  account: AlipayAccount,
  tools: ChannelTools,
  { call, trade }: { readonly call: OpenCall; readonly trade: Record<string, unknown> },
): Promise<OpenOutcome> {
  const answer = await callAlipayGateway(account, tools, {
    method: 'alipay.trade.precreate',
    bizContent: { ...trade, productCode: 'QR_CODE_OFFLINE' },
    notifyUrl: call.notifyUrl,
  })
  if (!answer.ok) {
    if (DOUBTFUL.has(answer.code)) throw new Error(`Alipay did not open the trade: ${answer.code}`)
    return { kind: 'refused', reason: answer.code }
  }
  const { out_trade_no: outTradeNo, qr_code: qrCode } = precreateAnswer.parse(answer.data)
  if (fromAlipayTradeNo(outTradeNo) !== call.tradeNo) throw new Error('Alipay answered about another trade')
  return { kind: 'opened', form: 'qr', payUrl: qrCode, payHtml: '', qr: qrCode, expiresAt: call.expiresAt }
}

/** No request is sent: the payer's browser carries the signed request, and the trade exists once Alipay has received it. */
function buildPage(
  account: AlipayAccount,
  tools: ChannelTools,
  { call, form, bizContent }: { readonly call: OpenCall; readonly form: PayForm; readonly bizContent: Record<string, unknown> },
): OpenOutcome {
  const method = call.tradeFrom === 'H5' ? 'alipay.trade.wap.pay' : 'alipay.trade.page.pay'
  const address = account.sdks[0].pageExecute(method, 'GET', {
    bizContent,
    notifyUrl: call.notifyUrl,
    returnUrl: call.returnUrl,
    timestamp: toShanghaiTime(tools.now()),
  })
  if (form === 'redirect') return { kind: 'opened', form, payUrl: address, payHtml: '', expiresAt: call.expiresAt }
  const { origin, pathname, searchParams } = new URL(address)
  const fields = [...searchParams].map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
  // Alipay reads the charset from the URL, before the body.
  const action = `${origin}${pathname}?charset=utf-8`
  return {
    kind: 'opened',
    form,
    payUrl: address,
    payHtml: `<form method="post" action="${escape(action)}" accept-charset="utf-8">${fields.join('')}</form>`,
    expiresAt: call.expiresAt,
  }
}

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export async function queryAlipayTrade(account: AlipayAccount, tools: ChannelTools, { tradeNo }: TradeRef): Promise<TradeFact> {
  const answer = await callAlipayGateway(account, tools, { method: 'alipay.trade.query', bizContent: { outTradeNo: toAlipayTradeNo(tradeNo) } })
  if (!answer.ok) {
    // Also returned while a code has not been scanned: such a trade exists only on our side.
    if (answer.code === 'ACQ.TRADE_NOT_EXIST') return { status: 'not_found', scanned: false, payments: [] }
    throw new Error(`Alipay could not be asked: ${answer.code}`)
  }
  const trade = tradeAnswer.parse(answer.data)
  if (fromAlipayTradeNo(trade.out_trade_no) !== tradeNo) throw new Error('Alipay answered about another trade')
  // A trade refunded in full is closed too: it was paid if it has a payment time.
  const wasPaid = trade.trade_status === 'TRADE_SUCCESS' || trade.trade_status === 'TRADE_FINISHED' || trade.send_pay_date !== undefined
  if (!wasPaid) return { status: trade.trade_status === 'TRADE_CLOSED' ? 'closed' : 'open', scanned: trade.trade_status === 'WAIT_BUYER_PAY', payments: [] }
  if (!trade.send_pay_date) throw new Error('Alipay says paid and does not say when')
  // Newer applications get an open id in place of the user id.
  const buyer = trade.buyer_user_id ?? trade.buyer_open_id
  const paidAt = new Date(`${trade.send_pay_date.replace(' ', 'T')}+08:00`)
  return {
    status: 'paid',
    scanned: true,
    payments: [
      {
        channelTxn: trade.trade_no,
        minor: parseMinor(trade.total_amount),
        currency: trade.trans_currency ?? 'CNY',
        paidAt,
        ...(buyer ? { payer: buyer } : {}),
      },
    ],
  }
}

export async function closeAlipayTrade(account: AlipayAccount, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  const answer = await callAlipayGateway(account, tools, { method: 'alipay.trade.close', bizContent: { outTradeNo: toAlipayTradeNo(ref.tradeNo) } })
  if (answer.ok) return 'closed'
  // Not scanned yet: there is no trade to close, and the code remains valid until it expires.
  if (answer.code === 'ACQ.TRADE_NOT_EXIST') return 'open'
  const { status } = await queryAlipayTrade(account, tools, ref)
  if (status === 'paid' || status === 'closed') return status
  throw new Error(`Alipay did not close the trade: ${answer.code}`)
}
