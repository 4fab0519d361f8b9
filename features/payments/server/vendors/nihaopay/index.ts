import type { ChannelVendor } from '../port.ts'
import { nihaopayEnv, readAccount } from './config.ts'
import { manifestOf, NAME } from './manifest.ts'
import { readNotice } from './notices.ts'
import { queryRefund, sendRefund } from './refunds.ts'
import { statement } from './statement.ts'
import { open, query } from './trades.ts'

const plain = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** NihaoPay, an aggregator: UnionPay and AlipayHK. docs/vendors/unionpay.md, docs/vendors/alipay-hk.md */
export const nihaopay: ChannelVendor = {
  name: NAME,
  sandbox: false,
  env: nihaopayEnv,
  connect: (config) => {
    const account = readAccount(config)
    if (!account) return undefined
    return {
      manifest: manifestOf(account),
      open: (tools, call) => open(account, tools, call),
      query: (tools, trade) => query(account, tools, trade),
      // Its API closes nothing: a page ends by its own time.
      close: async (tools, trade) => ((await query(account, tools, trade)).status === 'paid' ? 'paid' : 'open'),
      refund: (tools, call) => sendRefund(account, tools, call),
      queryRefund: (tools, refund) => queryRefund(account, tools, refund),
      readNotice: async (_tools, raw) => readNotice(account, raw),
      acknowledge: (outcome) => (outcome === 'done' ? plain(200, 'ok') : outcome === 'retry' ? plain(503, 'later') : plain(400, 'bad signature')),
      statement: (tools, day) => statement(account, tools, day),
    }
  },
}
