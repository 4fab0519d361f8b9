import { z } from 'zod'
import type { ChannelTools, OpenCall, OpenOutcome, TradeFact, TradeRef } from '../port.ts'
import { callWechatPay } from './client.ts'
import type { WechatPayMerchant } from './client.ts'

/** https://pay.weixin.qq.com/doc/v3/merchant/4012791877 (Native), https://pay.weixin.qq.com/doc/v3/merchant/4013070356 (query) */
const NATIVE_LIFE_MS = 2 * 3_600_000
const H5_LIFE_MS = 5 * 60_000
/** Characters of a description. */
const MAX_DESCRIPTION = 127

/** Refusals that definitely opened nothing. Any other failure has an unknown outcome. */
const CERTAIN = new Set([
  'PARAM_ERROR',
  'NO_AUTH',
  'APPID_MCHID_NOT_MATCH',
  'MCH_NOT_EXISTS',
  'ACCOUNT_ERROR',
  'RULE_LIMIT',
  'RULELIMIT',
  'SIGN_ERROR',
  'ORDER_CLOSED',
  'TRADE_ERROR',
])

const native = z.object({ code_url: z.string().min(1).max(512) })
const h5 = z.object({ h5_url: z.url() })
const trade = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string(),
  trade_state: z.enum(['SUCCESS', 'REFUND', 'NOTPAY', 'CLOSED', 'REVOKED', 'USERPAYING', 'PAYERROR', 'ACCEPT']),
  transaction_id: z.string().optional(),
  success_time: z.string().optional(),
  payer: z.object({ openid: z.string().optional() }).optional(),
  amount: z.object({ total: z.number().int().nonnegative(), currency: z.string().default('CNY') }).optional(),
})
const STATUS = { NOTPAY: 'open', USERPAYING: 'open', ACCEPT: 'open', CLOSED: 'closed', REVOKED: 'closed', PAYERROR: 'declined' } as const

export async function openWechatPayTrade(merchant: WechatPayMerchant, tools: ChannelTools, call: OpenCall): Promise<OpenOutcome> {
  const { mchid, appid } = merchant.account
  const isPhone = call.tradeFrom === 'H5'
  const answer = await callWechatPay(merchant, tools, {
    method: 'POST',
    path: `/v3/pay/transactions/${isPhone ? 'h5' : 'native'}`,
    content: {
      appid,
      mchid,
      description: [...call.subject].slice(0, MAX_DESCRIPTION).join(''),
      out_trade_no: call.tradeNo,
      time_expire: formatShanghaiTime(call.expiresAt),
      notify_url: call.notifyUrl,
      amount: { total: Number(call.payMinor), currency: call.currency },
      ...(isPhone ? { scene_info: { payer_client_ip: call.payerIp, h5_info: { type: 'Wap' } } } : {}),
    },
  })
  if (!answer.ok) {
    if (CERTAIN.has(answer.code)) return { kind: 'refused', reason: answer.code }
    throw new Error(`WeChat Pay did not open the trade: ${answer.code}`)
  }
  const now = tools.now().getTime()
  const until = (life: number) => new Date(Math.min(now + life, call.expiresAt.getTime()))
  if (isPhone) {
    const { h5_url: h5Url } = h5.parse(answer.data)
    const payUrl = `${h5Url}${h5Url.includes('?') ? '&' : '?'}redirect_url=${encodeURIComponent(call.returnUrl)}`
    return { kind: 'opened', form: 'redirect', payUrl, payHtml: '', expiresAt: until(H5_LIFE_MS) }
  }
  const { code_url: codeUrl } = native.parse(answer.data)
  return { kind: 'opened', form: 'qr', payUrl: codeUrl, payHtml: '', qr: codeUrl, expiresAt: until(NATIVE_LIFE_MS) }
}

export async function queryWechatPayTrade(merchant: WechatPayMerchant, tools: ChannelTools, { tradeNo }: TradeRef): Promise<TradeFact> {
  const { mchid, appid } = merchant.account
  const answer = await callWechatPay(merchant, tools, {
    method: 'GET',
    path: `/v3/pay/transactions/out-trade-no/${encodeURIComponent(tradeNo)}?mchid=${mchid}`,
  })
  if (!answer.ok) {
    if (answer.status === 404 && /^(ORDER_NOT_EXIST|ORDERNOTEXIST|RESOURCE_NOT_EXISTS)$/.test(answer.code))
      return { status: 'not_found', scanned: false, payments: [] }
    throw new Error(`WeChat Pay could not be asked: ${answer.code}`)
  }
  const found = trade.parse(answer.data)
  if (found.mchid !== mchid || found.appid !== appid || found.out_trade_no !== tradeNo) throw new Error('WeChat Pay answered about another trade')
  if (found.trade_state !== 'SUCCESS' && found.trade_state !== 'REFUND')
    return { status: STATUS[found.trade_state], scanned: found.trade_state === 'USERPAYING', payments: [] }
  const { transaction_id: transactionId, amount, success_time: successTime } = found
  if (!transactionId || !amount || !successTime) throw new Error('WeChat Pay says paid and does not say what')
  return {
    status: 'paid',
    scanned: true,
    payments: [
      {
        ...{ channelTxn: transactionId, minor: BigInt(amount.total), currency: amount.currency, paidAt: new Date(successTime) },
        ...(found.payer?.openid ? { payer: found.payer.openid } : {}),
      },
    ],
  }
}

export async function closeWechatPayTrade(merchant: WechatPayMerchant, tools: ChannelTools, ref: TradeRef): Promise<'closed' | 'paid' | 'open'> {
  const { mchid } = merchant.account
  const answer = await callWechatPay(merchant, tools, {
    method: 'POST',
    path: `/v3/pay/transactions/out-trade-no/${encodeURIComponent(ref.tradeNo)}/close`,
    content: { mchid },
  })
  if (answer.ok) return 'closed'
  const { status } = await queryWechatPayTrade(merchant, tools, ref)
  if (status === 'paid') return 'paid'
  if (status === 'closed') return 'closed'
  throw new Error(`WeChat Pay did not close the trade: ${answer.code}`)
}

/** RFC 3339 with the offset of Shanghai, in seconds. */
function formatShanghaiTime(at: Date): string {
  return `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`
}
