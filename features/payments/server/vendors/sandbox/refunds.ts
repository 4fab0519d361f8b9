import { randomUUID } from 'node:crypto'
import type { ChannelTools, RawReply, RawRequest } from '../port.ts'
import * as book from './data.ts'
import * as back from './data-refunds.ts'
import { read } from './gateway.ts'
import { notify } from './notify.ts'
import { json, queryRequest, refundQueryRequest, refundRequest, statementRequest } from './wire.ts'

const SLOW_SECONDS = 20
const REVERSED_SECONDS = 5
const CLAIM_SECONDS = 2
const RULING_SECONDS = 5
const DAY_MS = 86_400_000

/** The sandbox company's API: gives money back. The same number again is the same refund. */
export async function takeRefund(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, refundRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const trade = await back.tradeOfPayment(tools.query, call.txn)
  if (trade?.tradeNo !== call.tradeNo || trade.magic === 'refund-refused') return json(200, { code: 'REFUSED', message: 'this payment cannot be refunded' })
  const now = tools.now()
  const slow = trade.magic === 'refund-slow'
  const reversed = trade.magic === 'refund-reversed'
  const isNew = await back.insertRefund(tools.query, {
    refundNo: call.refundNo,
    txn: call.txn,
    token: trade.token,
    minor: BigInt(call.minor),
    state: slow ? 'pending' : trade.magic === 'refund-stuck' ? 'stuck' : 'succeeded',
    notifyUrl: call.notifyUrl,
    createdAt: now,
    turnsTo: slow ? 'succeeded' : reversed ? 'failed' : null,
    turnsAt: slow ? later(now, SLOW_SECONDS) : reversed ? later(now, REVERSED_SECONDS) : null,
  })
  const refund = await back.refundByNo(tools.query, call.refundNo)
  if (!refund || refund.minor !== BigInt(call.minor) || refund.txn !== call.txn) return json(200, { code: 'REFUSED', message: 'more than is left' })
  if (isNew) await notify(tools, trade, 'trade.refunded', { minor: refund.minor, refundNo: refund.refundNo })
  if (isNew && trade.magic === 'refund-500') return json(500, { code: 'INTERNAL' })
  return json(200, { code: 'OK', state: refund.state, minor: refund.minor.toString() })
}

export async function queryRefund(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, refundQueryRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const refund = await back.refundByNo(tools.query, call.refundNo)
  return refund ? json(200, { code: 'OK', state: refund.state, minor: refund.minor.toString() }) : json(200, { code: 'NOT_FOUND' })
}

/** The sandbox company's API: a trade that can be paid no more, unless it was. */
export async function closeTrade(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, queryRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const trade = await book.tradeByNo(tools.query, call.tradeNo)
  if (!trade) return json(200, { code: 'OK', state: 'closed' })
  await back.closeTrade(tools.query, trade.token)
  const { state } = (await book.tradeByNo(tools.query, call.tradeNo))!
  return json(200, { code: 'OK', state })
}

/** The sandbox company's API: the settlement file of one day of Shanghai. */
export async function statement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, statementRequest)
  if (!call) return json(401, { code: 'SIGNATURE' })
  const from = new Date(`${call.day}T00:00:00+08:00`)
  const lines = await back.linesOf(tools.query, from, new Date(from.getTime() + DAY_MS))
  return json(200, {
    code: 'OK',
    lines: lines.map(({ kind, tradeNo, txn, refundNo, minor, currency, at }) => ({
      kind,
      tradeNo,
      txn,
      refundNo,
      minor: minor.toString(),
      currency,
      at: at.toISOString(),
    })),
  })
}

/** Magic: the payer's bank wants a payment back soon after it was made. */
export async function claimBack(tools: ChannelTools, trade: book.Trade, payment: book.Payment): Promise<void> {
  if (!trade.magic.startsWith('dispute-')) return
  const at = later(tools.now(), CLAIM_SECONDS)
  const ruling = trade.magic === 'dispute-won' ? 'won' : trade.magic === 'dispute-lost' ? 'lost' : null
  await back.insertDispute(tools.query, {
    disputeId: randomUUID(),
    txn: payment.txn,
    token: trade.token,
    minor: payment.minor,
    state: 'open',
    createdAt: at,
    turnsTo: ruling,
    turnsAt: ruling && later(at, RULING_SECONDS),
  })
  await notify(tools, trade, 'trade.disputed', { minor: payment.minor, delaySeconds: CLAIM_SECONDS })
}

/** Applies scheduled changes of refunds and disputes, each with its webhook. */
export async function turn(tools: ChannelTools): Promise<void> {
  for (const refund of await back.turnRefunds(tools.query, tools.now())) {
    const trade = await book.tradeByToken(tools.query, refund.token)
    if (trade) await notify(tools, trade, 'trade.refunded', { minor: refund.minor, refundNo: refund.refundNo })
  }
  for (const dispute of await back.turnDisputes(tools.query, tools.now())) {
    const trade = await book.tradeByToken(tools.query, dispute.token)
    if (trade) await notify(tools, trade, 'trade.disputed', { minor: dispute.minor })
  }
}

const later = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1000)
