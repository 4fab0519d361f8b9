import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { parseMinor } from '#platform/shared/money.ts'
import type { ChannelTools, ChannelStatementRow } from '../port.ts'
import { callAlipayGateway, fromAlipayTradeNo } from './client.ts'
import type { AlipayAccount } from './config.ts'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
/** Maximum size of one unpacked file; an archive of several is read for one of them. */
const MAX_BYTES = 500_000_000
const unpack = promisify(inflateRaw)

interface ZipFile {
  /** Name as raw bytes: Alipay writes names in GBK. */
  readonly name: Buffer
  readonly bytes: Buffer
}

/**
 * Returns the first file of a ZIP archive (APPNOTE 4.3) whose name is accepted, using the central directory at its end. Supports stored and
 * deflated files, no encryption, no ZIP64. Unpacks off the event loop; other files are not unpacked.
 */
export async function readZip(archive: Buffer, isWanted: (name: Buffer) => boolean): Promise<ZipFile | undefined> {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || archive.length < end + 22 || archive.readUInt32LE(end) !== END) throw new Error('not a ZIP archive')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw new Error('a ZIP archive with a broken list')
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [number, number, number]
    const name = archive.subarray(at + 46, at + 46 + nameSize)
    if (isWanted(name)) return { name, bytes: await readEntry(archive, at) }
    at += 46 + nameSize + extraSize + commentSize
  }
  return undefined
}

async function readEntry(archive: Buffer, at: number): Promise<Buffer> {
  const [method, packed, size, local] = [
    archive.readUInt16LE(at + 10),
    archive.readUInt32LE(at + 20),
    archive.readUInt32LE(at + 24),
    archive.readUInt32LE(at + 42),
  ] as const
  if (archive.readUInt16LE(at + 8) & 1) throw new Error('an encrypted ZIP archive')
  if (archive.readUInt32LE(local) !== LOCAL || size > MAX_BYTES) throw new Error('a ZIP archive with a broken entry')
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = archive.subarray(start, start + packed)
  if (method === 0) return bytes
  if (method !== 8) throw new Error(`a ZIP archive packed by method ${method}`)
  const plain = await unpack(bytes, { maxOutputLength: Math.max(1, size) })
  if (plain.length !== size) throw new Error('a ZIP archive with a cut entry')
  return plain
}

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
