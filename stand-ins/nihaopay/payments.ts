import { randomBytes, randomUUID } from 'node:crypto'
import { findBrokenRule, findEmptyText } from '../kit/field-rules.ts'
import type { PaymentCompany } from '../kit/payments.ts'
import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { createWebhookQueue } from '../kit/webhooks.ts'
import { forgeNihaopayNotices, toNihaopayWebhook, signNihaopayFields, buildNihaopayVectors } from './forgeries.ts'
import { createNihaopayOracle } from './oracle.ts'
import { NIHAOPAY_FIGURES, NIHAOPAY_NOTICE_SCHEDULE, NIHAOPAY_RULES } from './rules.ts'

interface Trade {
  readonly id: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  readonly ipnUrl: string
  readonly at: Date
  readonly vendor: 'unionpay' | 'alipayhk'
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

/** NihaoPay: UnionPay by SecurePay, AlipayHK by A+. It has no refund numbers: sending twice refunds twice. */
export async function startNihaopay({ now }: { now: () => Date }): Promise<PaymentCompany> {
  const tokens = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')] as const
  let token: string = tokens[0]
  const trades = new Map<string, Trade>()
  const refunds: Refund[] = []
  const mails = createWebhookQueue(now, NIHAOPAY_NOTICE_SCHEDULE.value, ({ status }) => status === 200)
  const oracle = createNihaopayOracle()
  const http = await startStandInServer((request) => handle(request), { oracle })

  function handle(request: StandInRequest): StandInReply {
    if (request.headers.authorization !== `Bearer ${tokens[0]}`) return json(401, { code: 401, label: '301', message: 'Invalid merchant credentials provided' })
    const [status, value] = findBreach(request) ?? route(request)
    if (request.fault === 'error-code' || request.fault === 'bad-signature') return json(200, { code: 500, label: '99', message: 'System error' })
    return json(status, value)
  }

  function findBreach({ method, path, headers, body }: StandInRequest): [number, unknown] | undefined {
    if (method !== 'POST') return undefined
    const content = Object.fromEntries(new URLSearchParams(body))
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
    if (!isForm || findEmptyText(content) !== undefined) return error('400-90')
    const call = `${method} ${path.replace(/^(\/v1\.2\/transactions\/refund)\/\w+$/, '$1/{transaction_id}')}`
    const broken = findBrokenRule(NIHAOPAY_RULES, call, content, now())
    return broken && error(broken.code, `${broken.field}: ${broken.rule}`)
  }

  function route({ method, path, query, body }: StandInRequest): [number, unknown] {
    const fields = Object.fromEntries(new URLSearchParams(body))
    if (method === 'POST' && path === '/v1.2/transactions/securepay') {
      const failed = insert(fields, 'unionpay')
      if (failed) return failed
      // Without the field the answer is a page that posts itself.
      if (fields['response_format'] !== 'JSON') return [200, '<html><form></form></html>']
      const params = { bizType: '000201', orderId: fields['reference'], txnAmt: fields['amount'], reserved: '{"a":"<b> & \'c\'"}' }
      return [200, { form: { actionUrl: `${http.url}/gateway?x=1&y=2`, method: 'POST', target: '_self', params } }]
    }
    if (method === 'POST' && path === '/v1.2/transactions/aplus') {
      const failed = insert(fields, 'alipayhk')
      if (failed) return failed
      const trade = trades.get(fields['reference']!)!
      return [
        200,
        {
          amount: trade.amount,
          timeout: Number(fields['timeout'] ?? 10),
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

  function insert({ reference = '', amount = '', currency = '', ipn_url: ipnUrl = '' }: Record<string, string>, vendor: Trade['vendor']) {
    if (trades.has(reference)) return error('400-31')
    trades.set(reference, { id: newTransactionId(), reference, amount: Number(amount), currency, ipnUrl, vendor, at: now(), status: 'pending' })
    return undefined
  }

  function takeRefund(trade: Trade | undefined, { amount = '', currency = '', reason = '' }: Record<string, string>): [number, unknown] {
    if (!trade) return error('402-61')
    if (!trade.paid) return error('402-63')
    if (currency !== trade.paid.currency) return error('409-64')
    if (sumOf(trade) === trade.paid.amount) return error('409-66')
    if (sumOf(trade) + Number(amount) > trade.paid.amount) return error('402-67')
    const refund = { id: newTransactionId(), refundNo: reason, trade, amount: Number(amount), at: now() }
    refunds.push(refund)
    return [200, { id: refund.id, status: 'success', refunded: true, transaction_id: trade.id }]
  }

  const error = (code: string, message = code): [number, unknown] => [
    Number(code.slice(0, 3)),
    { code: Number(code.slice(0, 3)), label: code.slice(4), message },
  ]
  const byId = (id: string) => [...trades.values()].find((trade) => trade.id === id)
  const sumOf = (trade: Trade) => refunds.filter((refund) => refund.trade === trade).reduce((sum, refund) => sum + refund.amount, 0)
  const factOf = (trade: Trade) => ({
    id: trade.id,
    status: trade.status,
    type: 'charge',
    vendor: trade.vendor,
    vendor_id: `5121${trade.id}`,
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
      .slice(0, Math.min(Number(query.get('limit') ?? 10), NIHAOPAY_FIGURES.listMost.value))
  const noticeFields = (trade: Trade): Record<string, string> => {
    const { id, amount, currency, time, status, reference } = factOf(trade)
    return { id, amount: String(amount), currency, time, reference, status, note: 'null', sys_reserve: '{"vendor_id":"4200000117"}' }
  }
  const write = (trade: Trade) => {
    const fields = signNihaopayFields(token, noticeFields(trade))
    oracle.checkSent('notice', fields)
    return toNihaopayWebhook(fields)
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
      if (!silent) mails.queue(trade.ipnUrl, () => write(trade))
    },
    decline: (tradeNo) => {
      tradeOf(tradeNo).status = 'failure'
    },
    turnRefund: () => {},
    slowRefunds: () => {},
    notice: (tradeNo) => write(tradeOf(tradeNo)),
    deliver: mails.deliver,
    forgeries: (tradeNo, other) => forgeNihaopayNotices(token, noticeFields(tradeOf(tradeNo)), noticeFields(tradeOf(other))),
    vectors: (tradeNo) => buildNihaopayVectors(token, () => noticeFields(tradeOf(tradeNo))),
    rotate: () => {
      token = tokens[1]
    },
    close: () => http.close(),
  }
}

const json = (status: number, value: unknown): StandInReply =>
  typeof value === 'string'
    ? { status, headers: { 'content-type': 'text/html' }, body: value }
    : { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) }
