import { type ChannelVendor, defineChannelManifest, definePayMethod, type ChannelManifest, type PayMethod, type Channel, type ChannelTools } from '../port.ts'
import { listStripeAgreedMethods, chargeStripeAgreement, queryStripeAgreement, revokeStripeAgreement, signStripeAgreement } from './agreements.ts'
import { readPaymentsStripeAccount, paymentsStripeEnv, type PaymentsStripeAccount, type StripeMethod } from './config.ts'
import { contestStripeDispute, queryStripeRefund, sendStripeRefund } from './refunds.ts'
import { readPaymentsStripeNotice } from './notices.ts'
import { fetchStripeStatement } from './statement.ts'
import { closeStripeTrade, openStripeTrade, queryStripeTrade } from './trades.ts'
import { buildMethodTexts } from '../pay-method.ts'
import { callPaymentsStripe, createPaymentsStripe } from './client.ts'
import { listForeignAddresses, listTestKeys } from '#platform/shared/suppliers/test-account.ts'

/** Currencies without minor units, of those that Stripe settles in: https://docs.stripe.com/currencies#zero-decimal */
const ZERO_DECIMAL_CURRENCIES = new Set(['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'ugx', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'])

/** https://docs.stripe.com/api/balance/balance_retrieve: funds refunds and payouts; below zero while refunds wait for payments. */
async function fetchStripeBalance(account: PaymentsStripeAccount, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const { available } = await callPaymentsStripe('read the balance', () => createPaymentsStripe(account, tools).balance.retrieve())
  return available.map(({ currency, amount }) => ({
    currency: currency.toUpperCase(),
    minor: BigInt(amount) * (ZERO_DECIMAL_CURRENCIES.has(currency) ? 100n : 1n),
  }))
}

const METHODS: Readonly<Record<StripeMethod, PayMethod>> = {
  card: definePayMethod('card', { forms: { QRCODE: 'redirect', H5: 'redirect' } }),
  alipay: definePayMethod('alipay', {
    label: buildMethodTexts('method_alipay_stripe'),
    advantages: [],
    // https://docs.stripe.com/payments/alipay#refunds
    refundDays: 90,
    forms: { QRCODE: 'redirect', H5: 'redirect' },
  }),
  wechat_pay: definePayMethod('wechat', {
    label: buildMethodTexts('method_wechat_stripe'),
    advantages: [],
    anonymous: true,
    // Its page shows a code to scan, which the phone that displays it cannot do.
    forms: { QRCODE: 'redirect' },
  }),
}

const buildStripeManifest = ({ methods, currency }: PaymentsStripeAccount): ChannelManifest =>
  defineChannelManifest('stripe', {
    currency,
    limits: { min: '1', max: '5000' },
    methods: methods.map((method) => METHODS[method]),
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 180, statement: true },
  })

const plainReply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** Stripe: its checkout page for cards, and for Alipay and WeChat Pay where the account has them. docs/vendors/stripe.md */
export const stripe: ChannelVendor = {
  name: 'stripe',
  sandbox: false,
  listTestSettings: (config) => [
    ...listForeignAddresses(config, { STRIPE_API_BASE: /^api\.stripe\.com$/ }),
    ...listTestKeys(config, { STRIPE_SECRET_KEY: /^[sr]k_test_/ }),
  ],
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
