import type { Channel, OutsideTools } from '../port.ts'
import { minorText } from '#platform/shared/money.ts'
import { pressCashier, showCashier, style } from './cashier.ts'
import { open, query } from './client.ts'
import { latestTrades } from './data.ts'
import { work } from './deliver.ts'
import { isSealed, MERCHANT, NOTICE_KEYS } from './envelope.ts'
import { openTrade, queryTrade } from './gateway.ts'
import { MAGIC } from './magic-inputs.ts'
import { manifest } from './manifest.ts'
import { noticeBody } from './wire.ts'

const reply = (status: number, body: string) => ({ status, type: 'text/plain; charset=utf-8', body })

/** The sandbox channel: a full citizen of the port, with a company of its own behind it. */
export const sandbox: Channel = {
  manifest,
  open: (tools, call) => {
    const form = manifest.methods.find((method) => method.transactionType === call.transactionType)?.forms[call.tradeFrom]
    return form ? open(tools, call, form) : Promise.resolve({ kind: 'refused', reason: 'no such method' })
  },
  query,
  readNotice: (tools, { headers, body }) => {
    if (headers['content-encoding'] || !isSealed(tools.secret, NOTICE_KEYS, tools.now(), headers, body)) return undefined
    const notice = noticeBody(parse(body))
    if (notice?.merchant !== MERCHANT) return undefined
    return { noticeId: notice.notice_id, tradeNo: notice.trade_no, event: notice.event === 'trade.paid' ? 'paid' : 'other' }
  },
  acknowledge: (outcome) => (outcome === 'done' ? reply(200, 'success') : outcome === 'retry' ? reply(503, 'retry') : reply(400, 'bad signature')),
  outside: {
    routes: [
      { method: 'GET', path: '/sandbox/pay.css', handle: style },
      { method: 'GET', path: '/sandbox/pay/{token}', handle: showCashier },
      { method: 'POST', path: '/sandbox/pay/{token}', handle: pressCashier },
      { method: 'POST', path: '/sandbox/pay-api/open', handle: openTrade },
      { method: 'POST', path: '/sandbox/pay-api/query', handle: queryTrade },
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

async function panel(tools: OutsideTools) {
  const trades = await latestTrades(tools.query)
  return {
    title: '收银台 Cashier',
    about: `点交易号付款。金额的两位小数选择异常：${Object.entries(MAGIC)
      .map(([cents, name]) => `.${cents} ${name}`)
      .join('，')}`,
    columns: ['交易号', '金额', '方式', '状态', '有效至'],
    rows: trades.map((trade) => [
      { text: trade.trade_no, href: `/sandbox/pay/${trade.token}` },
      `¥${minorText(trade.minor)}`,
      String(trade.method),
      trade.state,
      trade.expires_at.toISOString(),
    ]),
  }
}
