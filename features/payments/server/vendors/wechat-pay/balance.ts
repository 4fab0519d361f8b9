import { z } from 'zod'
import type { Channel, ChannelTools } from '../port.ts'
import { callWechatPay } from './client.ts'
import type { WechatPayMerchant } from './client.ts'

/** https://pay.weixin.qq.com/doc/v3/merchant/4012711989: the account that payments settle to; merchants need permission to query it. */
const answer = z.object({ available_amount: z.int() })

export async function fetchWechatPayBalance(merchant: WechatPayMerchant, tools: ChannelTools): Promise<Awaited<ReturnType<NonNullable<Channel['balance']>>>> {
  const asked = await callWechatPay(merchant, tools, { method: 'GET', path: '/v3/merchant/fund/balance/BASIC' })
  if (!asked.ok) throw new Error(`WeChat Pay does not tell the balance: ${asked.code}`)
  return [{ currency: 'CNY', minor: BigInt(answer.parse(asked.data).available_amount) }]
}
