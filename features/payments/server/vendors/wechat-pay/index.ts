import type { ChannelVendor } from '../port.ts'
import { fetchWechatPayBalance } from './balance.ts'
import { fetchWechatPayStatement } from './bill.ts'
import { createKeyRing } from './certificates.ts'
import { readWechatPayAccount, wechatPayEnv } from './config.ts'
import { buildWechatPayManifest } from './manifest.ts'
import { readWechatPayNotice } from './notices.ts'
import { queryWechatPayRefund, sendWechatPayRefund } from './refunds.ts'
import { closeWechatPayTrade, openWechatPayTrade, queryWechatPayTrade } from './trades.ts'

const TYPE = 'application/json; charset=utf-8'
const failure = JSON.stringify({ code: 'FAIL', message: 'FAIL' })

/** WeChat Pay, API v3: a QR code on a desktop, the vendor's own page on a phone. docs/vendors/wechat-pay.md */
export const wechatPay: ChannelVendor = {
  name: 'wechat-pay',
  sandbox: false,
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
