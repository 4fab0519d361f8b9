import { createHmac } from 'node:crypto'
import type { StandInReply } from '../kit/server.ts'
import { TWILIO_ERRORS, TWILIO_RULES } from './rules.ts'
import type { TwilioErrorCode } from './rules.ts'

export const TWILIO_SID = `AC${'0'.repeat(32)}`
export const TWILIO_TOKEN = 'fake-twilio-token-00'

/** A number of the account. A month is charged when it is bought; releasing it refunds nothing. */
export interface TwilioNumber {
  readonly sid: string
  readonly number: string
  readonly price: bigint
  readonly name: string
  readonly smsUrl: string
  readonly smsMethod: string
  readonly createdAt: Date
  released: boolean
}
export interface TwilioMessage {
  readonly sid: string
  readonly body: string
  readonly from: string | null
  readonly to: string
  readonly service: string | null
  readonly direction: 'inbound' | 'outbound-api'
  readonly createdAt: Date
  /** An outgoing message is queued or accepted, then sent, and final only when a carrier has reported. */
  status: 'queued' | 'accepted' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received'
}
/** Amounts are billionths of a dollar. */
export interface TwilioState {
  price: bigint
  stock: number
  funds: bigint
  /** Credentials are refused. */
  locked: boolean
  /** Offers the number released last again. */
  resells: boolean
  /** Maximum size of a page. */
  maxPage: number
  /** Error of the next message to send, whatever it is. */
  refusal: TwilioErrorCode | undefined
  readonly held: TwilioNumber[]
  readonly messages: TwilioMessage[]
  /** Own numbers that send, messaging services, and recipients that are refused: by code. */
  readonly senders: Set<string>
  readonly services: Set<string>
  readonly refused: Map<string, TwilioErrorCode>
}

export const toJson = (status: number, value: unknown): StandInReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
export function toTwilioError(code: TwilioErrorCode): StandInReply {
  const { status, message } = TWILIO_ERRORS[code]
  return toJson(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
}

/** A page of a list, with the address of the next one: https://www.twilio.com/docs/usage/twilios-response#pagination. */
export function toPage(name: string, all: readonly object[], { at, query, most }: { at: string; query: URLSearchParams; most: number }): StandInReply {
  const size = Math.min(Number(query.get('PageSize') ?? TWILIO_RULES.pageSize.usual), most)
  const page = Number(query.get('Page') ?? 0)
  const link = (number: number) => {
    const next = new URLSearchParams(query)
    next.set('PageSize', String(size))
    next.set('Page', String(number))
    return `/2010-04-01/Accounts/${TWILIO_SID}${at}?${next}`
  }
  const list = all.slice(page * size, (page + 1) * size)
  return toJson(200, {
    ...{ [name]: list, page, page_size: size, start: page * size, end: Math.max(0, page * size + list.length - 1), uri: link(page), first_page_uri: link(0) },
    ...{ next_page_uri: all.length > (page + 1) * size ? link(page + 1) : null, previous_page_uri: page ? link(page - 1) : null },
  })
}

/** `Tue, 18 Aug 2015 17:07:26 +0000`: RFC 2822, in whole seconds. */
export const toRfc2822 = (at: Date) => at.toUTCString().replace('GMT', '+0000')

/** HMAC-SHA1 of the address and the parameters sorted by name: https://www.twilio.com/docs/usage/webhooks/webhooks-security. */
export function signTwilioWebhook(url: string, params: Readonly<Record<string, string>>): string {
  const base = Object.keys(params)
    .sort()
    .reduce((all, name) => all + name + params[name]!, url)
  return createHmac('sha1', TWILIO_TOKEN).update(base, 'utf8').digest('base64')
}
