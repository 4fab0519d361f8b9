import { z } from 'zod'
import type { ChannelTools, ChannelStatementRow } from '../port.ts'
import { callNihaopay, fromNihaopayReference } from './client.ts'
import type { NihaopayAccount } from './config.ts'
import { nihaopayTransaction } from './trades.ts'

const PAGE_SIZE = 100
const list = z.object({ transactions: z.array(nihaopayTransaction) })

/**
 * The documented list of transactions, one day in Shanghai, newest first, paged by time. It lists no refunds and no fees: the vendor shows
 * those only in its console, and the columns of its CSV are not documented.
 */
export async function fetchNihaopayStatement(account: NihaopayAccount, tools: ChannelTools, day: string): Promise<ChannelStatementRow[]> {
  const from = Date.parse(`${day}T00:00:00+08:00`)
  const rows = new Map<string, ChannelStatementRow>()
  // Both ends are exclusive.
  const after = utc(from - 1000)
  let before = from + 86_400_000
  for (;;) {
    const path = `/transactions/?limit=${PAGE_SIZE}&starting_after=${encodeURIComponent(after)}&ending_before=${encodeURIComponent(utc(before))}`
    const answer = await callNihaopay(account, tools, { method: 'GET', path })
    if (!answer.ok) throw new Error(`NihaoPay has no list of ${day}: ${answer.code}`)
    const { transactions } = list.parse(answer.data)
    for (const each of transactions) {
      if (each.status !== 'success') continue
      rows.set(each.id, {
        kind: 'payment',
        tradeNo: fromNihaopayReference(each.reference),
        channelTxn: each.id,
        refundNo: '',
        minor: BigInt(each.amount),
        currency: each.currency,
        feeMinor: 0n,
        feeCurrency: each.currency,
        at: new Date(each.time),
      })
    }
    if (transactions.length < PAGE_SIZE) return [...rows.values()]
    const oldest = Math.min(...transactions.map(({ time }) => Date.parse(time)))
    // Pages overlap by a second, so that transactions of the same second are not split; a full page of one second cannot be paged.
    if (oldest + 1000 >= before) throw new Error('NihaoPay lists more than a page in one second')
    before = oldest + 1000
  }
}

const utc = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
