import { z } from 'zod'
import {
  PAY_METHODS,
  type ChannelTools,
  type OpenCall,
  type OpenOutcome,
  type TradeFact,
  type TradeRef,
  type RefundCall,
  type RefundFact,
  type RefundRef,
} from '../port.ts'
import { callNihaopay, toNihaopayReference } from './client.ts'
import type { NihaopayAccount } from './config.ts'

const refundAnswer = z.object({ id: z.string(), status: z.enum(['success', 'failure']), refunded: z.boolean().optional(), transaction_id: z.string() })
const history = z.object({
  id: z.string(),
  currency: z.string(),
  refunds: z.array(z.object({ refund_id: z.string(), refunded_amount: z.int().positive(), status: z.enum(['success', 'failure']) })).default([]),
})
/** Already refunded in full, or more than is left. The vendor's record decides, not the refusal. */
const TOO_MUCH = new Set(['409-66', '402-67'])

/**
 * The vendor has no refund numbers of ours, so sending twice could refund twice. Refunds of one payment are sent one after the other
 * (`one-by-one`), and each is identified by the sum of the refunds before it.
 */
export async function sendNihaopayRefund(account: NihaopayAccount, tools: ChannelTools, call: RefundCall): Promise<RefundFact> {
  const standing = await queryNihaopayRefund(account, tools, call)
  if (standing.status !== 'not_found') return standing
  const answer = await callNihaopay(account, tools, {
    method: 'POST',
    path: `/transactions/refund/${encodeURIComponent(call.paid.channelTxn)}`,
    fields: {
      amount: call.minor.toString(),
      currency: call.paid.currency,
      reason: call.refundNo,
    },
  })
  if (!answer.ok) {
    const now = TOO_MUCH.has(answer.code) ? await queryNihaopayRefund(account, tools, call) : undefined
    return now && now.status !== 'not_found' ? now : { status: 'refused', reason: answer.code }
  }
  const { id, status, transaction_id: transactionId } = refundAnswer.parse(answer.data)
  if (transactionId !== call.paid.channelTxn) throw new Error('NihaoPay answered about another refund')
  return status === 'success' ? { status: 'succeeded', channelRefund: id } : { status: 'refused', reason: 'failure' }
}

export async function queryNihaopayRefund(account: NihaopayAccount, tools: ChannelTools, { paid, minor, earlierMinor }: RefundRef): Promise<RefundFact> {
  const answer = await callNihaopay(account, tools, { method: 'GET', path: `/transactions/refunds/${encodeURIComponent(paid.channelTxn)}/` })
  if (!answer.ok) throw new Error(`NihaoPay could not be asked about a refund: ${answer.code}`)
  const { id, currency, refunds } = history.parse(answer.data)
  if (id !== paid.channelTxn || currency !== paid.currency) throw new Error('NihaoPay answered about another payment')
  // The list is newest first. Our refund is the one made when the running sum equalled the refunds sent before it.
  let sum = 0n
  for (const { refund_id: refundId, refunded_amount: refundedAmount } of refunds.filter(({ status }) => status === 'success').toReversed()) {
    if (sum === earlierMinor && BigInt(refundedAmount) === minor) return { status: 'succeeded', channelRefund: refundId }
    sum += BigInt(refundedAmount)
  }
  if (sum === earlierMinor) return { status: 'not_found' }
  throw new Error('NihaoPay refunded another sum than we know of')
}

const UNIONPAY = PAY_METHODS.unionpay.id
const ALIPAYHK = PAY_METHODS.alipayHk.id
/** AlipayHK's page expires after ten minutes at most, UnionPay's after a day. */
const MAX_MINUTES: Readonly<Record<number, number>> = { [UNIONPAY]: 1440, [ALIPAYHK]: 10 }
/** The reference is in use: query its trade instead of refusing. */
const DOUBTFUL = new Set(['400-31', '409-33'])

/** Either an address or a form, never both. */
const securePay = z.union([
  z.object({ form: z.object({ actionUrl: z.url({ protocol: /^https?$/ }), method: z.string(), params: z.record(z.string(), z.coerce.string()) }) }),
  z.object({ url: z.url({ protocol: /^https?$/ }) }),
])
const aplus = z.object({ reference: z.string(), redirectUrl: z.url({ protocol: /^https?$/ }) })
export const nihaopayTransaction = z.object({
  id: z.string().min(1),
  status: z.enum(['success', 'failure', 'pending']),
  type: z.string().default('charge'),
  amount: z.int().positive(),
  currency: z.string().length(3),
  time: z.iso.datetime(),
  reference: z.string(),
})

/**
 * UnionPay by SecurePay, AlipayHK by Alipay A+. Priced in dollars: for a price in yuan the vendor's query reports only the settled dollars,
 * which cannot be compared with the order.
 */
export async function openNihaopayTrade(account: NihaopayAccount, tools: ChannelTools, call: OpenCall): Promise<OpenOutcome> {
  const isHk = call.transactionType === ALIPAYHK
  if (!isHk && call.transactionType !== UNIONPAY) return { kind: 'refused', reason: 'no such method' }
  const minutes = Math.max(1, Math.min(MAX_MINUTES[call.transactionType]!, Math.ceil((call.expiresAt.getTime() - tools.now().getTime()) / 60_000)))
  const isPhone = call.tradeFrom === 'H5'
  const fields = {
    amount: call.payMinor.toString(),
    currency: call.currency,
    reference: toNihaopayReference(call.tradeNo),
    ipn_url: call.notifyUrl,
    // Without it only successful payments return to our page.
    callback_url: `${call.returnUrl}${call.returnUrl.includes('?') ? '&' : '?'}accept=pending,failure`,
    description: call.subject,
    timeout: String(minutes),
    terminal: isPhone ? 'WAP' : 'ONLINE',
  }
  const answer = isHk
    ? await callNihaopay(account, tools, {
        method: 'POST',
        path: '/transactions/aplus',
        fields: {
          ...fields,
          wallet: 'ALIPAY_HK',
          ...(isPhone ? { ostype: detectOs(call.payerAgent) } : {}),
        },
      })
    : await callNihaopay(account, tools, {
        method: 'POST',
        path: '/transactions/securepay',
        fields: { ...fields, vendor: 'unionpay', response_format: 'JSON' },
      })
  if (!answer.ok) {
    if (DOUBTFUL.has(answer.code)) throw new Error(`NihaoPay did not open the trade: ${answer.code}`)
    return { kind: 'refused', reason: answer.code }
  }
  const expiresAt = new Date(Math.min(tools.now().getTime() + minutes * 60_000, call.expiresAt.getTime()))
  if (isHk) {
    const { reference, redirectUrl } = aplus.parse(answer.data)
    if (reference !== fields.reference) throw new Error('NihaoPay answered about another trade')
    return { kind: 'opened', form: 'redirect', payUrl: redirectUrl, payHtml: '', expiresAt }
  }
  const page = securePay.parse(answer.data)
  if ('url' in page) return { kind: 'opened', form: 'redirect', payUrl: page.url, payHtml: '', expiresAt }
  const inputs = Object.entries(page.form.params).map(([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`)
  const method = page.form.method.toLowerCase() === 'get' ? 'get' : 'post'
  return {
    kind: 'opened',
    form: 'form',
    payUrl: page.form.actionUrl,
    payHtml: `<form method="${method}" action="${escape(page.form.actionUrl)}">${inputs.join('')}</form>`,
    expiresAt,
  }
}

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const detectOs = (agent: string) => (/iPhone|iPad|iOS/i.test(agent) ? 'IOS' : 'ANDROID')

/** Transaction under one of our references; undefined if there is none. */
export async function queryNihaopayTransaction(
  account: NihaopayAccount,
  tools: ChannelTools,
  tradeNo: string,
): Promise<z.output<typeof nihaopayTransaction> | undefined> {
  const answer = await callNihaopay(account, tools, { method: 'GET', path: `/transactions/merchant/${toNihaopayReference(tradeNo)}` })
  if (!answer.ok) {
    if (answer.code === '402-61' || answer.code.startsWith('404-')) return undefined
    throw new Error(`NihaoPay could not be asked: ${answer.code}`)
  }
  const found = nihaopayTransaction.parse(answer.data)
  if (found.reference !== toNihaopayReference(tradeNo) || found.type !== 'charge') throw new Error('NihaoPay answered about another trade')
  return found
}

export async function queryNihaopayTrade(account: NihaopayAccount, tools: ChannelTools, { tradeNo }: TradeRef): Promise<TradeFact> {
  const found = await queryNihaopayTransaction(account, tools, tradeNo)
  if (!found) return { status: 'not_found', scanned: false, payments: [] }
  if (found.status !== 'success') return { status: found.status === 'failure' ? 'declined' : 'open', scanned: false, payments: [] }
  return {
    status: 'paid',
    scanned: true,
    payments: [{ channelTxn: found.id, minor: BigInt(found.amount), currency: found.currency, paidAt: new Date(found.time) }],
  }
}
