import type { Channel, ChannelTools } from '../port.ts'
import { ask, stripeOf } from './client.ts'
import type { Account } from './config.ts'

/** Currencies without minor units, of those that Stripe settles in: https://docs.stripe.com/currencies#zero-decimal */
const WHOLE = new Set(['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'ugx', 'vnd', 'vuv', 'xaf', 'xof', 'xpf'])

/** https://docs.stripe.com/api/balance/balance_retrieve: what refunds and payouts are taken from; below zero while refunds wait for payments. */
export async function balance(account: Account, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const { available } = await ask('read the balance', () => stripeOf(account, tools).balance.retrieve())
  return available.map(({ currency, amount }) => ({ currency: currency.toUpperCase(), minor: BigInt(amount) * (WHOLE.has(currency) ? 100n : 1n) }))
}
