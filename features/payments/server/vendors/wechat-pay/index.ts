import type { ChannelVendor } from '../port.ts'
import { balance } from './balance.ts'
import { statement } from './bill.ts'
import { keyRing } from './certificates.ts'
import { readAccount, wechatPayEnv } from './config.ts'
import { manifestOf, NAME } from './manifest.ts'
import { readNotice } from './notices.ts'
import { queryRefund, sendRefund } from './refunds.ts'
import { close, open, query } from './trades.ts'

const TYPE = 'application/json; charset=utf-8'
const failure = JSON.stringify({ code: 'FAIL', message: 'FAIL' })

/** WeChat Pay, API v3: a code to scan on a desktop, the vendor's own page on a phone. docs/vendors/wechat-pay.md */
export const wechatPay: ChannelVendor = {
  name: NAME,
  sandbox: false,
  env: wechatPayEnv,
  connect: (config) => {
    const account = readAccount(config)
    if (!account) return undefined
    const merchant = { account, ring: keyRing(account) }
    return {
      manifest: manifestOf(account),
      open: (tools, call) => open(merchant, tools, call),
      query: (tools, trade) => query(merchant, tools, trade),
      close: (tools, trade) => close(merchant, tools, trade),
      refund: (tools, call) => sendRefund(merchant, tools, call),
      queryRefund: (tools, refund) => queryRefund(merchant, tools, refund),
      readNotice: (tools, raw) => readNotice(merchant, tools, raw),
      // Any 2xx ends the retries, whatever its body says: only what is durable gets one.
      acknowledge: (outcome) =>
        outcome === 'done' ? { status: 200, type: TYPE, body: '' } : { status: outcome === 'retry' ? 503 : 401, type: TYPE, body: failure },
      balance: (tools) => balance(merchant, tools),
      certificates: (tools) => merchant.ring.expiries(tools),
      statement: (tools, day) => statement(merchant, tools, day),
    }
  },
}
