import type { Channel, ChannelTools } from '../port.ts'
import { callPaymentsStripe, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'

/** Currencies without minor units, of those that Stripe settles in: https://docs.stripe.com/currencies#zero-decimal */
const ZERO_DECIMAL_CURRENCIES = new Set(['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'ugx', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'])

/** https://docs.stripe.com/api/balance/balance_retrieve: funds refunds and payouts; below zero while refunds wait for payments. */
export async function fetchStripeBalance(account: PaymentsStripeAccount, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const { available } = await callPaymentsStripe('read the balance', () => createPaymentsStripe(account, tools).balance.retrieve())
  return available.map(({ currency, amount }) => ({
    currency: currency.toUpperCase(),
    minor: BigInt(amount) * (ZERO_DECIMAL_CURRENCIES.has(currency) ? 100n : 1n),
  }))
}
