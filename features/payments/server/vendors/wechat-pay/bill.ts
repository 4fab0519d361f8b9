import { createHash } from 'node:crypto'
import { z } from 'zod'
import { parseMinor } from '#platform/shared/money.ts'
import type { ChannelTools, ChannelStatementRow } from '../port.ts'
import { callWechatPay, downloadWechatPayFile } from './client.ts'
import type { WechatPayMerchant } from './client.ts'

/**
 * https://pay.weixin.qq.com/docs/merchant/apis/jsapi-payment/get-trade-bill.html: one file per day, ready at ten in the morning of the
 * next.
 */
const answer = z.object({ hash_type: z.literal('SHA1'), hash_value: z.string(), download_url: z.url() })
/** The file's own column names. */
const COLUMN = {
  at: '交易时间',
  txn: '微信订单号',
  tradeNo: '商户订单号',
  state: '交易状态',
  currency: '货币种类',
  refundNo: '商户退款单号',
  fee: '手续费',
  paid: '订单金额',
  refunded: '申请退款金额',
} as const

export async function fetchWechatPayStatement(merchant: WechatPayMerchant, tools: ChannelTools, day: string): Promise<ChannelStatementRow[]> {
  const asked = await callWechatPay(merchant, tools, { method: 'GET', path: `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL` })
  if (!asked.ok) {
    if (asked.code === 'NO_STATEMENT_EXIST') return []
    throw new Error(`WeChat Pay has no bill of ${day}: ${asked.code}`)
  }
  const { hash_value: hashValue, download_url: downloadUrl } = answer.parse(asked.data)
  const file = await downloadWechatPayFile(merchant, tools, downloadUrl)
  if (createHash('sha1').update(file).digest('hex') !== hashValue.toLowerCase())
    throw new Error(`WeChat Pay's bill of ${day} is not the one that was announced`)
  return parseRows(file.toString('utf8'))
}

/** A header line, then cells prefixed by a backtick each, then two lines of totals. */
function parseRows(text: string): ChannelStatementRow[] {
  const [head = '', ...lines] = text.replace(/^﻿/, '').split(/\r?\n/)
  const names = head.split(',').map((name) => name.trim())
  return lines
    .filter((line) => /^`\d{4}-\d\d-\d\d /.test(line))
    .map((line) => {
      const cells = line.slice(1).split(',`')
      const cell = (name: string) => {
        const value = cells[names.indexOf(name)]
        if (value === undefined) throw new Error(`WeChat Pay's bill has no column ${name}`)
        return value.trim()
      }
      const isRefund = cell(COLUMN.state) === 'REFUND'
      const fee = cell(COLUMN.fee)
      return {
        kind: isRefund ? 'refund' : 'payment',
        tradeNo: cell(COLUMN.tradeNo),
        channelTxn: cell(COLUMN.txn),
        refundNo: isRefund ? cell(COLUMN.refundNo) : '',
        minor: parseMinor(cell(isRefund ? COLUMN.refunded : COLUMN.paid)),
        currency: cell(COLUMN.currency),
        feeMinor: parseFee(fee),
        feeCurrency: cell(COLUMN.currency),
        at: new Date(`${cell(COLUMN.at).replace(' ', 'T')}+08:00`),
      }
    })
}

/** Fees have five decimals in the file; the booked amount is in fen. Negative: returned with a refund. */
function parseFee(text: string): bigint {
  const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  const minor = BigInt(whole + part.padEnd(2, '0').slice(0, 2)) + (Number(part[2] ?? 0) >= 5 ? 1n : 0n)
  return sign ? -minor : minor
}
