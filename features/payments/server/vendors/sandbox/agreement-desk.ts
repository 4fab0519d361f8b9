import { randomBytes, randomUUID } from 'node:crypto'
import type { ChannelTools, RawReply, RawRequest } from '../port.ts'
import * as agreements from './data-agreements.ts'
import type { Agreement } from './data-agreements.ts'
import * as book from './data.ts'
import type { Trade } from './data.ts'
import { MERCHANT } from './envelope.ts'
import { read } from './gateway.ts'
import { magicOf } from './magic-inputs.ts'
import type { Magic } from './magic-inputs.ts'
import { press } from './settle.ts'
import { agreementQueryRequest, agreeRequest, chargeRequest, json } from './wire.ts'

const SLOW_MS = 5000
const UNSIGNED = () => json(401, { code: 'SIGNATURE' })
const FAILED = () => json(500, { code: 'INTERNAL' })

/** The sandbox company's API: makes a page where the payer agrees. The same number again is the same agreement. */
export async function openAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, agreeRequest)
  if (!call) return UNSIGNED()
  const { token } = await agreements.insertAgreement(tools.query, {
    token: randomBytes(16).toString('hex'),
    agreementNo: call.agreementNo,
    method: call.transactionType,
    lang: call.lang,
    notifyUrl: call.notifyUrl,
    returnUrl: call.returnUrl,
    expiresAt: new Date(call.expiresAt),
    createdAt: tools.now(),
  })
  return json(200, { code: 'OK', token })
}

export async function queryAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, agreementQueryRequest)
  if (!call) return UNSIGNED()
  const row = await agreements.agreementByNo(tools.query, call.agreementNo)
  if (!row) return json(200, { code: 'NOT_FOUND' })
  const state = row.state === 'open' && row.expiresAt <= tools.now() ? 'refused' : row.state
  return json(200, { code: 'OK', state, token: row.token, label: row.label ?? '' })
}

export async function endAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, agreementQueryRequest)
  if (!call) return UNSIGNED()
  const row = await agreements.agreementByNo(tools.query, call.agreementNo)
  if (
    row &&
    ((await agreements.moveAgreement(tools.query, row.token, 'active', 'ended')) || (await agreements.moveAgreement(tools.query, row.token, 'open', 'ended')))
  )
    await tellAgreement(tools, row, 'agreement.ended')
  return json(200, { code: 'OK' })
}

/** Takes money under an agreement, once for a trade's number; the cents of the amount choose what goes wrong. */
export async function chargeAgreement(tools: ChannelTools, request: RawRequest): Promise<RawReply> {
  const call = read(tools, request, chargeRequest)
  if (!call) return UNSIGNED()
  const row = await agreements.agreementByNo(tools.query, call.agreementNo)
  const magic = magicOf(call.orderAmount)
  const known = await book.tradeByNo(tools.query, call.tradeNo)
  if (known) return answerOf(known)
  if (row && magic === 'charge-agreement-ended' && (await agreements.moveAgreement(tools.query, row.token, 'active', 'ended')))
    await tellAgreement(tools, row, 'agreement.ended')
  if (row?.state !== 'active' || magic === 'charge-agreement-ended') return json(200, { code: 'REFUSED', refusal: 'ended' })
  if (magic === 'charge-lost-before' && (await agreements.loseOnce(tools.query, row.token, call.tradeNo))) return FAILED()
  await book.insertTrade(tools.query, {
    token: randomBytes(16).toString('hex'),
    tradeNo: call.tradeNo,
    minor: BigInt(call.minor),
    currency: call.currency,
    subject: call.subject,
    magic,
    method: row.method,
    form: 'redirect',
    lang: row.lang,
    notifyUrl: call.notifyUrl,
    returnUrl: '',
    expiresAt: new Date(call.expiresAt),
    createdAt: tools.now(),
    hideQueries: 0,
  })
  const trade = await carryOut(tools, (await book.tradeByNo(tools.query, call.tradeNo))!, `signed-${row.token.slice(0, 12)}`)
  return magic === 'charge-lost-after' ? FAILED() : answerOf(trade)
}

const DECLINED: Readonly<Partial<Record<Magic, NonNullable<Trade['refusal']>>>> = { 'charge-declined': 'declined', 'charge-authentication': 'authentication' }

async function carryOut(tools: ChannelTools, trade: Trade, payer: string): Promise<Trade> {
  const refusal = DECLINED[trade.magic]
  if (refusal) await book.decline(tools.query, trade.token, refusal)
  else if (trade.magic === 'charge-slow') await book.payLater(tools.query, trade.token, new Date(tools.now().getTime() + SLOW_MS))
  else await press(tools, trade, 'pay', payer)
  return (await book.tradeByNo(tools.query, trade.tradeNo))!
}

const answerOf = (trade: Trade) =>
  trade.state === 'declined' ? json(200, { code: 'REFUSED', refusal: trade.refusal ?? 'declined' }) : json(200, { code: 'OK' })

/** Queues a notice about an agreement. */
export async function tellAgreement(tools: ChannelTools, row: Agreement, event: string, copies = 1): Promise<void> {
  const noticeId = randomUUID()
  const body = JSON.stringify({ merchant: MERCHANT, notice_id: noticeId, event, agreement_no: row.agreementNo })
  for (let copy = 0; copy < copies; copy++) await agreements.queueAgreementNotice(tools.query, { noticeId, token: row.token, body, dueAt: tools.now() })
}
