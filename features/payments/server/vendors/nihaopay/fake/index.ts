import { createWebhookQueue } from '#stand-ins/kit/webhooks.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import type { FakeChannel } from '../../../testing/fake-channel.ts'
import { forgeNihaopayNotices, toNihaopayWebhook, signNihaopayFields, buildNihaopayVectors } from './forgeries.ts'

/** Seconds between retries, as documented: eight in about two hours; any 200 ends them. */
const SCHEDULE = [60, 60, 120, 240, 720, 600]

interface Trade {
  readonly id: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly ipnUrl: string
  readonly at: Date
  status: 'pending' | 'success' | 'failure'
  paid?: { readonly amount: number; readonly currency: string; readonly at: Date }
}
interface Refund {
  readonly id: string
  readonly refundNo: string
  readonly trade: Trade
  readonly amount: number
  readonly at: Date
}
const utc = (at: Date) => `${at.toISOString().slice(0, 19)}Z`
const fromReference = (reference: string) => reference.replace(/^(.{8})(.{12})/, '$1-$2-')
const newTransactionId = () => `2026${randomUUID().replaceAll(/\D/g, '').padEnd(16, '0').slice(0, 16)}`

/** Fake of NihaoPay, as far as we use it. It has no refund numbers: sending twice refunds twice. */
export async function fakeNihaopay({ now }: { now: () => Date }): Promise<FakeChannel> {
  const tokens = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const
  let token: string = tokens[0]
  const trades = new Map<string, Trade>()
  const refunds: Refund[] = []
  const mails = createWebhookQueue(now, SCHEDULE, ({ status }) => status === 200)
  const http = await startStandInServer((request) => handle(request))

  function handle(request: StandInRequest): StandInReply {
    if (request.headers.authorization !== `Bearer ${tokens[0]}`) return json(401, { code: 401, label: '301', message: 'Invalid merchant credentials provided' })
    const [status, value] = route(request)
    if (request.fault === 'error-code' || request.fault === 'bad-signature') return json(200, { code: 500, label: '99', message: 'System error' })
    return json(status, value)
  }

  function route({ method, path, query, body }: StandInRequest): [number, unknown] {
    const fields = Object.fromEntries(new URLSearchParams(body))
    if (method === 'POST' && path === '/v1.2/transactions/securepay') {
      const failed = insert(fields, { vendor: 'unionpay', response_format: 'JSON' }, 1440)
      if (failed) return failed
      const params = { bizType: '000201', orderId: fields['reference'], txnAmt: fields['amount'], reserved: '{"a":"<b> & \'c\'"}' }
      return [200, { form: { actionUrl: `${http.url}/gateway?x=1&y=2`, method: 'POST', target: '_self', params } }]
    }
    if (method === 'POST' && path === '/v1.2/transactions/aplus') {
      if (fields['terminal'] === 'WAP' && !/^(ANDROID|IOS)$/.test(fields['ostype'] ?? '')) return error('400-90')
      const failed = insert(fields, { wallet: 'ALIPAY_HK' }, 10)
      if (failed) return failed
      const trade = trades.get(fields['reference']!)!
      return [
        200,
        {
          amount: trade.amount,
          timeout: 10,
          currency: trade.currency,
          reference: trade.reference,
          id: trade.id,
          time: utc(trade.at),
          redirectUrl: `${http.url}/wallet?code=${trade.id}`,
        },
      ]
    }
    const merchant = /^\/v1\.2\/transactions\/merchant\/(\w+)$/.exec(path)?.[1]
    if (merchant) {
      const trade = trades.get(merchant)
      return trade ? [200, factOf(trade)] : error('402-61')
    }
    const asked = /^\/v1\.2\/transactions\/refunds\/(\w+)\/$/.exec(path)?.[1]
    if (asked) {
      const trade = byId(asked)
      if (!trade) return error('402-61')
      const made = refunds.filter((refund) => refund.trade === trade).toReversed()
      const list = made.map(({ id, amount, at }) => ({ refund_time: utc(at), refund_id: id, refunded_amount: amount, status: 'success' }))
      return [200, { ...factOf(trade), refunded_amount: sumOf(trade), refunds: list }]
    }
    const back = /^\/v1\.2\/transactions\/refund\/(\w+)$/.exec(path)?.[1]
    if (method === 'POST' && back) return takeRefund(byId(back), fields)
    if (path === '/v1.2/transactions/') return [200, { transactions: listOf(query) }]
    return error('404-60')
  }

  function insert(fields: Record<string, string>, needed: Record<string, string>, longest: number): [number, unknown] | undefined {
    const { reference = '', amount = '', currency = '', ipn_url: ipnUrl = '', callback_url: callbackUrl = '', timeout = '' } = fields
    const wellFormed =
      /^[0-9A-Za-z]{1,30}$/.test(reference) &&
      /^[1-9]\d*$/.test(amount) &&
      currency === 'USD' &&
      /^https?:/.test(ipnUrl) &&
      /accept=pending,failure$/.test(callbackUrl)
    const fits = Number(timeout) >= 1 && Number(timeout) <= longest && Object.entries(needed).every(([name, value]) => fields[name] === value)
    if (!wellFormed || !fits) return error('400-90')
    if (trades.has(reference)) return error('400-31')
    trades.set(reference, { id: newTransactionId(), reference, amount: Number(amount), currency, ipnUrl, at: now(), status: 'pending' })
    return undefined
  }

  function takeRefund(trade: Trade | undefined, { amount = '', currency = '', reason = '' }: Record<string, string>): [number, unknown] {
    if (!trade) return error('402-61')
    if (!trade.paid) return error('402-63')
    if (currency !== trade.paid.currency) return error('409-64')
    if (sumOf(trade) === trade.paid.amount) return error('409-66')
    if (!/^[1-9]\d*$/.test(amount) || sumOf(trade) + Number(amount) > trade.paid.amount) return error('402-67')
    const refund = { id: newTransactionId(), refundNo: reason, trade, amount: Number(amount), at: now() }
    refunds.push(refund)
    return [200, { id: refund.id, status: 'success', refunded: true, transaction_id: trade.id }]
  }

  const error = (code: string): [number, unknown] => [Number(code.slice(0, 3)), { code: Number(code.slice(0, 3)), label: code.slice(4), message: code }]
  const byId = (id: string) => [...trades.values()].find((trade) => trade.id === id)
  const sumOf = (trade: Trade) => refunds.filter((refund) => refund.trade === trade).reduce((sum, refund) => sum + refund.amount, 0)
  const factOf = (trade: Trade) => ({
    id: trade.id,
    status: trade.status,
    type: 'charge',
    vendor: 'unionpay',
    amount: trade.paid?.amount ?? trade.amount,
    currency: trade.paid?.currency ?? trade.currency,
    time: utc(trade.paid?.at ?? trade.at),
    reference: trade.reference,
    note: null,
  })
  const listOf = (query: URLSearchParams) =>
    [...trades.values()]
      .map(factOf)
      .filter(({ time }) => time > query.get('starting_after')! && time < query.get('ending_before')!)
      .toSorted((a, b) => (a.time < b.time ? 1 : -1))
      .slice(0, Number(query.get('limit')))
  const noticeFields = (trade: Trade): Record<string, string> => {
    const { id, amount, currency, time, status, reference } = factOf(trade)
    return { id, amount: String(amount), currency, time, reference, status, note: 'null', sys_reserve: '{"vendor_id":"4200000117"}' }
  }
  const tradeOf = (tradeNo: string) => trades.get(tradeNo.replaceAll('-', ''))!

  return {
    name: 'nihaopay',
    env: { NIHAOPAY_TOKENS: tokens.join(','), NIHAOPAY_BASE_URL: http.url },
    http,
    secrets: [...tokens],
    trades: () => [...trades.keys()].map(fromReference),
    payments: () =>
      [...trades.values()].flatMap(({ reference, id, paid }) =>
        paid ? [{ tradeNo: fromReference(reference), txn: id, minor: BigInt(paid.amount), currency: paid.currency }] : [],
      ),
    refunds: () => refunds.map(({ refundNo, trade, amount }) => ({ refundNo, txn: trade.id, minor: BigInt(amount), state: 'succeeded' as const })),
    arrive: async () => {},
    pay: (tradeNo, { minor, currency = 'USD', silent = false } = {}) => {
      const trade = tradeOf(tradeNo)
      trade.paid ??= { amount: minor === undefined ? trade.amount : Number(minor), currency, at: now() }
      trade.status = 'success'
      if (!silent) mails.queue(trade.ipnUrl, () => toNihaopayWebhook(signNihaopayFields(token, noticeFields(trade))))
    },
    decline: (tradeNo) => {
      tradeOf(tradeNo).status = 'failure'
    },
    turnRefund: () => {},
    slowRefunds: () => {},
    notice: (tradeNo) => toNihaopayWebhook(signNihaopayFields(token, noticeFields(tradeOf(tradeNo)))),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeNihaopayNotices(token, noticeFields(tradeOf(tradeNo)), noticeFields(tradeOf(other))),
    vectors: (tradeNo) => buildNihaopayVectors(token, () => noticeFields(tradeOf(tradeNo))),
    rotate: () => {
      token = tokens[1]
    },
    close: () => http.close(),
  }
}

const json = (status: number, value: unknown): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
