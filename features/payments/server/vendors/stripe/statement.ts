import type Stripe from 'stripe'
import type { ChannelTools, ChannelStatementRow } from '../port.ts'
import { callPaymentsStripe, createPaymentsStripe } from './client.ts'
import type { PaymentsStripeAccount } from './config.ts'
import { REFUND_KEY } from './refunds.ts'
import { TRADE_KEY } from './trades.ts'

const KINDS: Readonly<Record<string, ChannelStatementRow['kind']>> = { charge: 'payment', payment: 'payment', refund: 'refund', payment_refund: 'refund' }

/** https://docs.stripe.com/api/balance_transactions/list: movements of our Stripe balance on one day in Shanghai. */
export async function fetchStripeStatement(account: PaymentsStripeAccount, tools: ChannelTools, day: string): Promise<ChannelStatementRow[]> {
  const from = Date.parse(`${day}T00:00:00+08:00`) / 1000
  return callPaymentsStripe('list balance transactions', async () => {
    const rows: ChannelStatementRow[] = []
    const page = { created: { gte: from, lt: from + 86_400 }, limit: 100, expand: ['data.source'] }
    for await (const line of createPaymentsStripe(account, tools).balanceTransactions.list(page)) {
      const row = toStatementRow(line)
      if (row) rows.push(row)
    }
    return rows
  })
}

/** Amounts come from the payment, the line's source: the line itself is in the payout currency. */
function toStatementRow(line: Stripe.BalanceTransaction): ChannelStatementRow | undefined {
  const source = typeof line.source === 'object' ? line.source : null
  const at = new Date(line.created * 1000)
  const fee = { feeMinor: BigInt(line.fee), feeCurrency: line.currency.toUpperCase() }
  if (source?.object === 'dispute')
    return {
      kind: line.net < 0 ? 'dispute' : 'dispute_won',
      tradeNo: '',
      channelTxn: idOf(source.payment_intent),
      refundNo: '',
      minor: BigInt(source.amount),
      currency: source.currency.toUpperCase(),
      ...fee,
      at,
    }
  const kind = KINDS[line.type]
  if (!kind || (source?.object !== 'charge' && source?.object !== 'refund')) return undefined
  return {
    kind,
    tradeNo: source.metadata?.[TRADE_KEY] ?? '',
    channelTxn: idOf(source.payment_intent),
    refundNo: source.object === 'refund' ? (source.metadata?.[REFUND_KEY] ?? '') : '',
    minor: BigInt(source.amount),
    currency: source.currency.toUpperCase(),
    ...fee,
    at,
  }
}

function idOf(intent: string | Stripe.PaymentIntent | null): string {
  return typeof intent === 'string' ? intent : (intent?.id ?? '')
}
