import type { ChannelVendor } from '../port.ts'
import { agreedMethods, charge, lookUp, revoke, sign } from './agreements.ts'
import { balance } from './balance.ts'
import { statement } from './bill.ts'
import { alipayEnv, readAccount } from './config.ts'
import { manifestOf, NAME } from './manifest.ts'
import { readNotice } from './notices.ts'
import { queryRefund, sendRefund } from './refunds.ts'
import { close, open, query } from './trades.ts'

const plain = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Alipay: web page, mobile page and a code of its own, through the vendor's SDK. docs/vendors/alipay.md */
export const alipay: ChannelVendor = {
  name: NAME,
  sandbox: false,
  env: alipayEnv,
  connect: (config) => {
    const account = readAccount(config)
    if (!account) return undefined
    return {
      manifest: manifestOf(account),
      ...(account.withholding
        ? {
            agreements: {
              methods: agreedMethods(account),
              sign: async (tools, call) => sign(account, tools, call),
              lookUp: (tools, ref) => lookUp(account, tools, ref),
              charge: (tools, call) => charge(account, tools, call),
              revoke: (tools, ref) => revoke(account, tools, ref),
            },
          }
        : {}),
      open: (tools, call) => open(account, tools, call),
      query: (tools, trade) => query(account, tools, trade),
      close: (tools, trade) => close(account, tools, trade),
      refund: (tools, call) => sendRefund(account, tools, call),
      queryRefund: (tools, refund) => queryRefund(account, tools, refund),
      readNotice: async (_tools, raw) => readNotice(account, raw),
      // Exactly these seven bytes end the retries; everything else asks for another notice.
      acknowledge: (outcome) => (outcome === 'done' ? plain(200, 'success') : plain(outcome === 'retry' ? 503 : 400, 'fail')),
      balance: (tools) => balance(account, tools),
      statement: (tools, day) => statement(account, tools, day),
    }
  },
}
