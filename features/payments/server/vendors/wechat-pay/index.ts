import { type ChannelVendor, defineChannelManifest, definePayMethod, type ChannelManifest, type Channel, type ChannelTools } from '../port.ts'
import { fetchWechatPayStatement } from './bill.ts'
import { createKeyRing } from './certificates.ts'
import { readWechatPayAccount, wechatPayEnv, type WechatPayAccount } from './config.ts'
import { readWechatPayNotice } from './notices.ts'
import { queryWechatPayRefund, sendWechatPayRefund } from './refunds.ts'
import { closeWechatPayTrade, openWechatPayTrade, queryWechatPayTrade } from './trades.ts'
import { buildMethodTexts } from '../pay-method.ts'
import { z } from 'zod'
import { callWechatPay, type WechatPayMerchant } from './client.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

/** https://pay.weixin.qq.com/doc/v3/merchant/4012711989: the account that payments settle to; merchants need permission to query it. */
const answer = z.object({ available_amount: z.int() })

async function fetchWechatPayBalance(merchant: WechatPayMerchant, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const asked = await callWechatPay(merchant, tools, { method: 'GET', path: '/v3/merchant/fund/balance/BASIC' })
  if (!asked.ok) throw new Error(`WeChat Pay does not tell the balance: ${asked.code}`)
  return [{ currency: 'CNY', minor: BigInt(answer.parse(asked.data).available_amount) }]
}

const buildWechatPayManifest = ({ methods }: WechatPayAccount): ChannelManifest =>
  defineChannelManifest('wechat-pay', {
    currency: 'CNY',
    methods: [
      definePayMethod('wechat', {
        tipsBottom: buildMethodTexts('method_outside_wechat'),
        forms: { ...(methods.includes('native') ? { QRCODE: 'qr' as const } : {}), ...(methods.includes('h5') ? { H5: 'redirect' as const } : {}) },
      }),
    ],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  })

const TYPE = 'application/json; charset=utf-8'
const failure = JSON.stringify({ code: 'FAIL', message: 'FAIL' })

/** WeChat Pay, API v3: a QR code on a desktop, the vendor's own page on a phone. docs/vendors/wechat-pay.md */
export const wechatPay: ChannelVendor = {
  name: 'wechat-pay',
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { WECHAT_PAY_BASE_URL: /^api2?\.mch\.weixin\.qq\.com$/ }),
  env: wechatPayEnv,
  connect: (config) => {
    const account = readWechatPayAccount(config)
    if (!account) return undefined
    const merchant = { account, ring: createKeyRing(account) }
    return {
      manifest: buildWechatPayManifest(account),
      open: (tools, call) => openWechatPayTrade(merchant, tools, call),
      query: (tools, trade) => queryWechatPayTrade(merchant, tools, trade),
      close: (tools, trade) => closeWechatPayTrade(merchant, tools, trade),
      refund: (tools, call) => sendWechatPayRefund(merchant, tools, call),
      queryRefund: (tools, refund) => queryWechatPayRefund(merchant, tools, refund),
      readNotice: (tools, raw) => readWechatPayNotice(merchant, tools, raw),
      // Any 2xx ends the retries, whatever its body: only a durably stored notice gets one.
      acknowledge: (outcome) =>
        outcome === 'done' ? { status: 200, type: TYPE, body: '' } : { status: outcome === 'retry' ? 503 : 401, type: TYPE, body: failure },
      balance: (tools) => fetchWechatPayBalance(merchant, tools),
      certificates: (tools) => merchant.ring.expiries(tools),
      statement: (tools, day) => fetchWechatPayStatement(merchant, tools, day),
    }
  },
}
