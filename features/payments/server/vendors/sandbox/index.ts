import { isAgreedTrade } from '../port.ts'
import type { Channel, ChannelVendor, ChannelNotice, ChannelTools } from '../port.ts'
import { formatMinor } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { agreements } from './agreements.ts'
import { chargeAgreement, endAgreement, openAgreement, queryAgreement } from './agreement-desk.ts'
import { pressAgreement, showAgreement } from './agreement-page.ts'
import { pressCashier, showCashier, style } from './cashier.ts'
import { close, open, query, queryRefund, refund, statement } from './client.ts'
import { latestTrades } from './data.ts'
import { latestAgreements } from './data-agreements.ts'
import type { Agreement } from './data-agreements.ts'
import type { Trade } from './data.ts'
import { work } from './deliver.ts'
import { isSealed, MERCHANT, NOTICE_KEYS } from './envelope.ts'
import { contest, takeEvidence } from './evidence.ts'
import { openTrade, queryTrade } from './gateway.ts'
import { MAGIC } from './magic-inputs.ts'
import { manifest } from './manifest.ts'
import * as company from './refunds.ts'
import { noticeBody } from './wire.ts'

const reply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })
const EVENTS: Readonly<Record<string, ChannelNotice['event']>> = { 'trade.paid': 'paid', 'trade.refunded': 'refund', 'trade.disputed': 'dispute' }

const channel: Channel = {
  manifest,
  agreements,
  open: (tools, call) => {
    const form = manifest.methods.find((method) => method.transactionType === call.transactionType)?.forms[call.tradeFrom]
    return form ? open(tools, call, form) : Promise.resolve({ kind: 'refused', reason: 'no such method' })
  },
  query,
  close,
  refund,
  queryRefund,
  statement,
  contest,
  readNotice: async (tools, { headers, body }) => {
    if (headers['content-encoding'] || !isSealed(tools.secret, NOTICE_KEYS, tools.now(), headers, body)) return undefined
    const notice = noticeBody(parse(body))
    if (notice?.merchant !== MERCHANT) return undefined
    if (notice.agreement_no) return { noticeId: notice.notice_id, event: 'agreement', agreementNo: notice.agreement_no }
    if (!notice.trade_no) return undefined
    return {
      noticeId: notice.notice_id,
      event: EVENTS[notice.event] ?? 'other',
      tradeNo: notice.trade_no,
      ...(notice.refund_no ? { refundNo: notice.refund_no } : {}),
    }
  },
  acknowledge: (outcome) => (outcome === 'done' ? reply(200, 'success') : outcome === 'retry' ? reply(503, 'retry') : reply(400, 'bad signature')),
}

/** The sandbox channel: implements the whole port, backed by a simulated company. */
export const sandbox: ChannelVendor = {
  name: manifest.name,
  sandbox: true,
  env: {},
  connect: () => channel,
  outside: {
    routes: [
      { method: 'GET', path: '/sandbox/pay.css', handle: style },
      { method: 'GET', path: '/sandbox/pay/{token}', handle: showCashier },
      { method: 'POST', path: '/sandbox/pay/{token}', handle: pressCashier },
      { method: 'GET', path: '/sandbox/agree/{token}', handle: showAgreement },
      { method: 'POST', path: '/sandbox/agree/{token}', handle: pressAgreement },
      { method: 'POST', path: '/sandbox/pay-api/agree', handle: openAgreement },
      { method: 'POST', path: '/sandbox/pay-api/agreement', handle: queryAgreement },
      { method: 'POST', path: '/sandbox/pay-api/charge', handle: chargeAgreement },
      { method: 'POST', path: '/sandbox/pay-api/revoke', handle: endAgreement },
      { method: 'POST', path: '/sandbox/pay-api/open', handle: openTrade },
      { method: 'POST', path: '/sandbox/pay-api/query', handle: queryTrade },
      { method: 'POST', path: '/sandbox/pay-api/close', handle: company.closeTrade },
      { method: 'POST', path: '/sandbox/pay-api/refund', handle: company.takeRefund },
      { method: 'POST', path: '/sandbox/pay-api/query-refund', handle: company.queryRefund },
      { method: 'POST', path: '/sandbox/pay-api/contest', handle: takeEvidence },
      { method: 'POST', path: '/sandbox/pay-api/statement', handle: company.statement },
    ],
    work,
    panel,
  },
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

const STATES: Readonly<Record<Trade['state'], string>> = { open: '待付款 Open', paid: '已付款 Paid', declined: '被拒绝 Declined', closed: '已关闭 Closed' }

const AGREED: Readonly<Record<Agreement['state'], string>> = { open: '待同意 Open', active: '已同意 Active', refused: '已拒绝 Refused', ended: '已解除 Ended' }

function methodName(type: number): string {
  const label = manifest.methods.find((method) => method.transactionType === type)?.label
  return label ? [...new Set(Object.values(label))].join(' ') : String(type)
}

async function panel(tools: ChannelTools) {
  const trades = await latestTrades(tools.query)
  const agreed = await latestAgreements(tools.query)
  return {
    title: '付款 Payments',
    order: 0,
    about: '点交易号付款，点授权号同意或解除自动扣款。 Open a trade to pay it, an agreement to sign or end it.',
    hints: {
      title: '订单金额的两位小数决定出什么错 The cents of the amount choose what goes wrong',
      items: Object.entries(MAGIC)
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([cents, name]) => [`.${cents}`, name.replaceAll('-', ' ')] as const),
    },
    columns: ['时间 Time', '交易 Trade', '金额 Amount', '方式 Method', '状态 State', '有效至 Until'],
    rows: [
      ...agreed.map((row) => [
        toShanghaiTime(row.createdAt),
        { text: row.agreementNo, href: `/sandbox/agree/${row.token}` },
        '',
        methodName(row.method),
        AGREED[row.state],
        toShanghaiTime(row.expiresAt),
      ]),
      ...trades.map((trade) => [
        toShanghaiTime(trade.createdAt),
        // A charge under an agreement has no cashier page.
        isAgreedTrade(trade.tradeNo) ? trade.tradeNo : { text: trade.tradeNo, href: `/sandbox/pay/${trade.token}` },
        `¥${formatMinor(trade.minor)}`,
        methodName(trade.method),
        STATES[trade.state],
        toShanghaiTime(trade.expiresAt),
      ]),
    ],
  }
}
