import { z } from 'zod'
import { parseMinor } from '#platform/shared/money.ts'
import type { Channel, ChannelTools } from '../port.ts'
import { callAlipayGateway } from './client.ts'
import type { AlipayAccount } from './config.ts'

/** alipay.data.bill.balance.query: balance of the merchant's account available for payout. https://opendocs.alipay.com/open/1aa8d8d4 */
const answer = z.object({ available_amount: z.string() })

export async function fetchAlipayBalance(account: AlipayAccount, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const asked = await callAlipayGateway(account, tools, { method: 'alipay.data.bill.balance.query', bizContent: {} })
  if (!asked.ok) throw new Error(`Alipay does not tell the balance: ${asked.code}`)
  return [{ currency: 'CNY', minor: parseMinor(answer.parse(asked.data).available_amount) }]
}
