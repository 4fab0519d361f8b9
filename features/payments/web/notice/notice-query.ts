import { parseOwnPath } from '#platform/shared/own-path.ts'
import type { ChosenMethod } from '../pay/pay-machine.ts'

export interface NoticeQuery {
  readonly orderNo: string
  /** Payment method to use after reading; absent if the URL names none. */
  readonly method?: ChosenMethod
  /** Path of this site that the payer came from. */
  readonly redirect?: string
}

/** Parses the URL of /pay-notice; undefined if it names no order. */
export function parseNoticeQuery(search: string): NoticeQuery | undefined {
  const query = new URLSearchParams(search)
  const orderNo = query.get('orderNo') ?? ''
  if (!/^\d{8}-[0-9A-Z]{12}$/.test(orderNo)) return undefined
  const [channelType, transactionType, tradeFrom] = [Number(query.get('channelType')), Number(query.get('transactionType')), query.get('tradeFrom')]
  const isMethod = Number.isInteger(channelType) && channelType > 0 && Number.isInteger(transactionType) && transactionType > 0
  const redirect = parseOwnPath(query.get('redirect') ?? undefined)
  return {
    orderNo,
    ...(isMethod && (tradeFrom === 'H5' || tradeFrom === 'QRCODE') ? { method: { channelType, transactionType, tradeFrom } } : {}),
    ...(redirect ? { redirect } : {}),
  }
}
