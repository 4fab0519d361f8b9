import type { ChannelVendor } from '../port.ts'
import { listStripeAgreedMethods, chargeStripeAgreement, queryStripeAgreement, revokeStripeAgreement, signStripeAgreement } from './agreements.ts'
import { fetchStripeBalance } from './balance.ts'
import { readPaymentsStripeAccount, paymentsStripeEnv } from './config.ts'
import { contestStripeDispute } from './disputes.ts'
import { buildStripeManifest } from './manifest.ts'
import { readPaymentsStripeNotice } from './notices.ts'
import { queryStripeRefund, sendStripeRefund } from './refunds.ts'
import { fetchStripeStatement } from './statement.ts'
import { closeStripeTrade, openStripeTrade, queryStripeTrade } from './trades.ts'

const plainReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Stripe: its checkout page for cards, and for Alipay and WeChat Pay where the account has them. docs/vendors/stripe.md */
export const stripe: ChannelVendor = {
  name: 'stripe',
  sandbox: false,
  env: paymentsStripeEnv,
  connect: (config) => {
    const account = readPaymentsStripeAccount(config)
    if (!account) return undefined
    return {
      manifest: buildStripeManifest(account),
      agreements: {
        methods: listStripeAgreedMethods(account),
        sign: (tools, call) => signStripeAgreement(account, tools, call),
        lookUp: (tools, ref) => queryStripeAgreement(account, tools, ref),
        charge: (tools, call) => chargeStripeAgreement(account, tools, call),
        revoke: (tools, ref) => revokeStripeAgreement(account, tools, ref),
      },
      open: (tools, call) => openStripeTrade(account, tools, call),
      query: (tools, trade) => queryStripeTrade(account, tools, trade),
      close: (tools, trade) => closeStripeTrade(account, tools, trade),
      refund: (tools, call) => sendStripeRefund(account, tools, call),
      queryRefund: (tools, refund) => queryStripeRefund(account, tools, refund),
      readNotice: (tools, raw) => readPaymentsStripeNotice(account, tools, raw),
      acknowledge: (outcome) =>
        outcome === 'done' ? plainReply(200, 'ok') : outcome === 'retry' ? plainReply(503, 'later') : plainReply(400, 'bad signature'),
      contest: (tools, call) => contestStripeDispute(account, tools, call),
      balance: (tools) => fetchStripeBalance(account, tools),
      statement: (tools, day) => fetchStripeStatement(account, tools, day),
    }
  },
}
