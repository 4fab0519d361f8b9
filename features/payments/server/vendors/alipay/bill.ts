import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { parseMinor } from '#platform/shared/money.ts'
import type { ChannelTools, ChannelStatementRow } from '../port.ts'
import { callAlipayGateway, fromAlipayTradeNo } from './client.ts'
import type { AlipayAccount } from './config.ts'
import { readZip } from './zip.ts'

/** alipay.data.dataservice.bill.downloadurl.query: returns a URL, valid for 30 seconds, of a ZIP of GBK tables. */
const answer = z.object({ bill_download_url: z.url() })
const DETAIL = '业务明细.csv'
const COLUMN = {
  txn: '支付宝交易号',
  tradeNo: '商户订单号',
  type: '业务类型',
  at: '完成时间',
  amount: '订单金额（元）',
  refundNo: '退款批次号/请求号',
  fee: '服务费（元）',
} as const
const gbk = new TextDecoder('gbk')

export async function fetchAlipayStatement(account: AlipayAccount, tools: ChannelTools, day: string): Promise<ChannelStatementRow[]> {
  const asked = await callAlipayGateway(account, tools, {
    method: 'alipay.data.dataservice.bill.downloadurl.query',
    bizContent: { billType: 'trade', billDate: day },
  })
  if (!asked.ok) {
    if (/bill_not_exist$/i.test(asked.code)) return []
    throw new Error(`Alipay has no bill of ${day}: ${asked.code}`)
  }
  const { bill_download_url: billDownloadUrl } = answer.parse(asked.data)
  const reply = await sendOutgoingRequest(tools.fetch, { method: 'GET', url: billDownloadUrl, deadlineMs: 60_000, maxBytes: 200_000_000 })
  if (reply.status !== 200) throw new Error(`Alipay's bill of ${day}: HTTP ${reply.status}`)
  const detail = await readZip(reply.body, (name) => gbk.decode(name).endsWith(DETAIL))
  if (!detail) throw new Error(`Alipay's bill of ${day} has no table of details`)
  return parseRows(gbk.decode(detail.bytes))
}

/** Lines that begin with # are header and totals; then the column names, then one line per trade, padded with tabs. */
function parseRows(text: string): ChannelStatementRow[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith('#'))
  const names = (lines.shift() ?? '').split(',').map((name) => name.trim())
  return lines.map((line) => {
    const cells = line.split(',')
    const cell = (name: string) => {
      const value = cells[names.indexOf(name)]
      if (value === undefined) throw new Error(`Alipay's bill has no column ${name}`)
      return value.trim()
    }
    const isRefund = cell(COLUMN.type) === '退款'
    const fee = parseSignedMinor(cell(COLUMN.fee))
    return {
      kind: isRefund ? 'refund' : 'payment',
      tradeNo: fromAlipayTradeNo(cell(COLUMN.tradeNo)),
      channelTxn: cell(COLUMN.txn),
      refundNo: isRefund ? cell(COLUMN.refundNo) : '',
      minor: absolute(parseSignedMinor(cell(COLUMN.amount))),
      currency: 'CNY',
      // The file writes captured amounts as negative numbers.
      feeMinor: -fee,
      feeCurrency: 'CNY',
      at: new Date(`${cell(COLUMN.at).replace(' ', 'T')}+08:00`),
    }
  })
}

const parseSignedMinor = (text: string) => (text.startsWith('-') ? -parseMinor(text.slice(1)) : parseMinor(text || '0'))
const absolute = (minor: bigint) => (minor < 0n ? -minor : minor)
