import type { ChannelVendor } from '../port.ts'
import { nihaopayEnv, readNihaopayAccount } from './config.ts'
import { buildNihaopayManifest } from './manifest.ts'
import { readNihaopayNotice } from './notices.ts'
import { queryNihaopayRefund, sendNihaopayRefund } from './refunds.ts'
import { fetchNihaopayStatement } from './statement.ts'
import { openNihaopayTrade, queryNihaopayTrade } from './trades.ts'

const plainReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** NihaoPay, an aggregator: UnionPay and AlipayHK. docs/vendors/unionpay.md, docs/vendors/alipay-hk.md */
export const nihaopay: ChannelVendor = {
  name: 'nihaopay',
  sandbox: false,
  env: nihaopayEnv,
  connect: (config) => {
    const account = readNihaopayAccount(config)
    if (!account) return undefined
    return {
      manifest: buildNihaopayManifest(account),
      open: (tools, call) => openNihaopayTrade(account, tools, call),
      query: (tools, trade) => queryNihaopayTrade(account, tools, trade),
      // The API cannot close a trade: a page expires by itself.
      close: async (tools, trade) => ((await queryNihaopayTrade(account, tools, trade)).status === 'paid' ? 'paid' : 'open'),
      refund: (tools, call) => sendNihaopayRefund(account, tools, call),
      queryRefund: (tools, refund) => queryNihaopayRefund(account, tools, refund),
      readNotice: async (_tools, raw) => readNihaopayNotice(account, raw),
      acknowledge: (outcome) =>
        outcome === 'done' ? plainReply(200, 'ok') : outcome === 'retry' ? plainReply(503, 'later') : plainReply(400, 'bad signature'),
      statement: (tools, day) => fetchNihaopayStatement(account, tools, day),
    }
  },
}
