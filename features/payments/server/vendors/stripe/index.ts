import type { ChannelVendor } from '../port.ts'
import { agreedMethods, charge, lookUp, revoke, sign } from './agreements.ts'
import { balance } from './balance.ts'
import { readAccount, stripeEnv } from './config.ts'
import { contest } from './disputes.ts'
import { manifestOf, NAME } from './manifest.ts'
import { readNotice } from './notices.ts'
import { queryRefund, sendRefund } from './refunds.ts'
import { statement } from './statement.ts'
import { close, open, query } from './trades.ts'

const plain = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Stripe: its checkout page for cards, and for Alipay and WeChat Pay where the account has them. docs/vendors/stripe.md */
export const stripe: ChannelVendor = {
  name: NAME,
  sandbox: false,
  env: stripeEnv,
  connect: (config) => {
    const account = readAccount(config)
    if (!account) return undefined
    return {
      manifest: manifestOf(account),
      agreements: {
        methods: agreedMethods(account),
        sign: (tools, call) => sign(account, tools, call),
        lookUp: (tools, ref) => lookUp(account, tools, ref),
        charge: (tools, call) => charge(account, tools, call),
        revoke: (tools, ref) => revoke(account, tools, ref),
      },
      open: (tools, call) => open(account, tools, call),
      query: (tools, trade) => query(account, tools, trade),
      close: (tools, trade) => close(account, tools, trade),
      refund: (tools, call) => sendRefund(account, tools, call),
      queryRefund: (tools, refund) => queryRefund(account, tools, refund),
      readNotice: (tools, raw) => readNotice(account, tools, raw),
      acknowledge: (outcome) => (outcome === 'done' ? plain(200, 'ok') : outcome === 'retry' ? plain(503, 'later') : plain(400, 'bad signature')),
      contest: (tools, call) => contest(account, tools, call),
      balance: (tools) => balance(account, tools),
      statement: (tools, day) => statement(account, tools, day),
    }
  },
}
