import { randomUUID } from 'node:crypto'
import type { ChannelTools } from '../port.ts'
import * as book from './data.ts'
import { notify } from './notify.ts'
import { claimBack } from './refunds.ts'

/** Actions of a payer at the cashier. */
export const PRESSES = ['pay', 'decline', 'less', 'twice', 'late', 'silent'] as const
export type Press = (typeof PRESSES)[number]

/** Amount of an underpayment: one fen. */
const TOO_LITTLE = 1n

/** Carries out a press in the sandbox's book and queues its notices; magic inputs change what "pay" does. */
export async function press(tools: ChannelTools, trade: book.Trade, what: Press, payer = ''): Promise<void> {
  const over = trade.expiresAt <= tools.now()
  const byMagic: Partial<Record<book.Trade['magic'], Press>> = {
    'pay-declined': 'decline',
    'pay-wrong-amount': 'less',
    'pay-twice': 'twice',
    'pay-late': 'late',
    'notice-never': 'silent',
  }
  const action = what === 'pay' ? (byMagic[trade.magic] ?? 'pay') : what
  if (action === 'late') {
    if (over) return settle(tools, trade, 'pay-late-now', payer)
    return book.payLater(tools.query, trade.token, new Date(trade.expiresAt.getTime() + 2000))
  }
  if (over || trade.state === 'closed') return
  if (action === 'decline') {
    if (await book.decline(tools.query, trade.token)) await notify(tools, trade, 'trade.declined')
    return
  }
  return settle(tools, trade, action, payer)
}

export async function settle(tools: ChannelTools, trade: book.Trade, how: Exclude<Press, 'late' | 'decline'> | 'pay-late-now', payer = ''): Promise<void> {
  const payment = (): book.Payment => ({
    ...{ txn: randomUUID(), minor: how === 'less' ? TOO_LITTLE : trade.minor, currency: trade.currency, paidAt: tools.now() },
    // without a name each payment has a new payer id, as at a company that always identifies its payer
    payer: payer || `guest-${trade.token.slice(0, 12)}`,
  })
  const payments = how === 'twice' ? [payment(), payment()] : [payment()]
  if (!(await book.takePayments(tools.query, trade.token, payments))) return
  await claimBack(tools, trade, payments[0]!)
  if (how === 'silent') return
  for (const { minor } of payments) {
    await notify(tools, trade, 'trade.paid', {
      minor,
      twice: trade.magic === 'notice-twice',
      badSignatureFirst: trade.magic === 'notice-bad-signature',
      delaySeconds: trade.magic === 'notice-late' ? 30 : 0,
    })
  }
}
