import type { Sql } from '#platform/server/database/db.ts'
import { formatMinor, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay, toShanghaiTime } from '#platform/shared/time.ts'
import { ORDER_TYPE } from '#features/payments/server/door.ts'
import type { EvidenceFacts } from '#features/payments/server/door.ts'
import { listSignIns, listDailyUse } from './data.ts'
import type { DisputedOrder } from './data.ts'

/** Truncates an IP address to its network: banks do not need the full address. */
function maskNetwork(ip: string): string {
  const four = /(\d{1,3}\.\d{1,3}\.\d{1,3})\.\d{1,3}$/.exec(ip)?.[1]
  return four ? `${four}.x` : `${ip.split(':').slice(0, 3).join(':')}::`
}

/** Evidence in English for the bank; contains no name, mail or phone number of the customer. */
export async function buildEvidenceFacts(sql: Sql, order: DisputedOrder, brand: string): Promise<EvidenceFacts> {
  const [use, signIns] = [await listDailyUse(sql, order.userId, order.paidAt), await listSignIns(sql, order.userId)]
  const isCredit = order.orderType === ORDER_TYPE.OPENAI_API || order.orderType === ORDER_TYPE.RECHARGE
  const calls = use.reduce((all, row) => all + row.calls, 0n)
  return {
    product: isCredit
      ? `Prepaid credit of ${formatUsd(order.amountNano)} USD for calls to AI models through the API of ${brand}. A digital service: the credit is available at once after payment and is spent by calls.`
      : `A digital service of ${brand}, ordered and paid online (order ${order.orderNo}).`,
    paidOn: toShanghaiDay(order.paidAt),
    receipt: [
      `Order ${order.orderNo}, placed ${toShanghaiTime(order.createdAt)} (UTC+8), paid ${toShanghaiTime(order.paidAt)} (UTC+8).`,
      `Paid: ${formatMinor(order.payMinor)} ${order.currency} for ${formatUsd(order.amountNano)} USD and a fee of ${formatUsd(order.feeNano)} USD.`,
      `Transaction at the payment channel: ${order.channelTxn}.`,
    ].join('\n'),
    use: [
      `API calls since the payment: ${calls}, for ${formatUsd(sumNano(use.map(({ amount }) => amount)))} USD.`,
      ...use.map((row) => `${row.day}: ${row.calls} calls, ${formatUsd(row.amount)} USD`),
    ].join('\n'),
    access: [
      `Sign-ins to the account that was credited, newest first (UTC+8, network):`,
      ...signIns.map(({ at, ip }) => `${toShanghaiTime(at)}  ${maskNetwork(ip)}`),
      ...(signIns.length ? [] : ['none is kept any more']),
    ].join('\n'),
  }
}
