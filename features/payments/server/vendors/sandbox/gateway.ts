import { randomBytes } from 'node:crypto'
import type { ChannelTools, RawReply, RawRequest } from '../port.ts'
import * as book from './data.ts'
import { disputesOf } from './data-refunds.ts'
import { isSealed, MERCHANT, MERCHANT_KEY } from './envelope.ts'
import { magicOf } from './magic-inputs.ts'
import { json, openRequest, queryRequest } from './wire.ts'

const QUERIES_HIDDEN = 3
/** Evidence is taken for a week. */
export const EVIDENCE_MS = 7 * 86_400_000
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const HTML: RawReply = { status: 200, type: 'text/html', body: '<html><body><h1>502 Bad Gateway</h1></body></html>' }

/** The sandbox company's API: opens a trade. The same number again returns the same trade. */
export async function openTrade(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, openRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const magic = magicOf(call.orderAmount)
  if (magic === 'open-refused') return json(200, { code: 'REFUSED', message: 'this account cannot pay' })
  const isNew = await book.insertTrade(tools.query, {
    token: randomBytes(16).toString('hex'),
    tradeNo: call.tradeNo,
    minor: BigInt(call.minor),
    currency: call.currency,
    subject: call.subject,
    magic,
    method: call.transactionType,
    form: call.form,
    lang: call.lang,
    notifyUrl: call.notifyUrl,
    returnUrl: call.returnUrl,
    expiresAt: new Date(call.expiresAt),
    createdAt: tools.now(),
    hideQueries: magic === 'query-not-found' ? QUERIES_HIDDEN : 0,
  })
  const trade = await book.tradeByNo(tools.query, call.tradeNo)
  if (!trade || trade.minor !== BigInt(call.minor) || trade.currency !== call.currency) return json(200, { code: 'TRADE_NO_USED' })
  await book.reopen(tools.query, trade.token)
  const reply = json(200, { code: 'OK', token: trade.token, expiresAt: trade.expiresAt.toISOString() })
  return isNew ? misbehave(magic, reply) : reply
}

/** The trade exists; only the response is lost, late or unreadable. */
async function misbehave(magic: book.Trade['magic'], reply: RawReply): Promise<RawReply> {
  if (magic === 'open-slow') await wait(3000)
  if (magic === 'open-hangs') await wait(30_000)
  if (magic === 'open-500') return json(500, { code: 'INTERNAL' })
  if (magic === 'open-html') return HTML
  if (magic === 'open-cut') return { ...reply, body: String(reply.body).slice(0, 20) }
  if (magic === 'open-error-code') return json(200, { code: 'SYSTEM_ERROR' })
  if (magic === 'open-duplicate') return json(200, { code: 'TRADE_EXISTS' })
  return reply
}

/** The sandbox company's API for reading a trade, straight from its book. */
export async function queryTrade(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, queryRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const trade = await book.tradeByNo(tools.query, call.tradeNo)
  if (!trade || (await book.hideOnce(tools.query, trade.token))) return json(200, { code: 'NOT_FOUND' })
  const payments = await book.paymentsOf(tools.query, trade.token)
  const disputes = await disputesOf(tools.query, trade.token, tools.now())
  return json(200, {
    code: 'OK',
    state: trade.state,
    scanned: trade.scanned,
    ...(trade.refusal ? { refusal: trade.refusal } : {}),
    payments: payments.map(({ txn, minor, currency, paidAt, payer }) => ({
      ...{ txn, minor: minor.toString(), currency, paidAt: paidAt.toISOString() },
      ...(payer === null ? {} : { payer }),
    })),
    disputes: disputes.map(({ disputeId, txn, minor, state, createdAt }) => ({
      ...{ id: disputeId, txn, minor: minor.toString(), currency: trade.currency, state },
      dueAt: new Date(createdAt.getTime() + EVIDENCE_MS).toISOString(),
    })),
  })
}

/** The body of a request that the merchant surely signed. */
export function read<T extends { merchant: string }>(tools: ChannelTools, request: RawRequest, parse: (value: unknown) => T | undefined): T | undefined {
  if (!isSealed(tools.secret, [MERCHANT_KEY], tools.now(), request.headers, request.body)) return undefined
  const call = parse(JSON.parse(request.body.toString('utf8')))
  return call?.merchant === MERCHANT ? call : undefined
}
