import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import type { SentWebhook } from '../kit/webhooks.ts'
import { createTwilioMessages } from './messages.ts'
import { createTwilioNumbers } from './numbers.ts'
import { createTwilioOracle } from './oracle.ts'
import { TWILIO_RULES } from './rules.ts'
import { TWILIO_SID, TWILIO_TOKEN, signTwilioWebhook, toJson, toTwilioError } from './wire.ts'
import type { TwilioState } from './wire.ts'

/** A webhook that Twilio sends, to the address that the number was bought with. It is retried as it is. */
export interface TwilioWebhook extends SentWebhook {
  readonly url: string
}
export interface Twilio extends TwilioState {
  readonly company: StandInServer
  /** Messages that came to the numbers, as webhooks, oldest first. */
  readonly webhooks: TwilioWebhook[]
  /** A message arrives at a number of the account. */
  deliver(number: string, text: string): void
  /** Carriers report on all messages sent. */
  settle(status?: 'delivered' | 'undelivered'): void
  book(): { readonly spent: bigint; readonly open: readonly string[] }
}

/** Twilio (https://www.twilio.com/docs/usage/api): numbers, messages and the balance of one account. */
export async function startTwilio({ now = () => new Date() } = {}): Promise<Twilio> {
  const oracle = createTwilioOracle()
  const state: TwilioState = {
    ...{ price: 1_150_000_000n, stock: 100, funds: 50_000_000_000n, locked: false, resells: false, maxPage: TWILIO_RULES.pageSize.most },
    ...{ refusal: undefined, held: [], messages: [], senders: new Set(), services: new Set(), refused: new Map() },
  }
  const parts = [createTwilioNumbers(state, now), createTwilioMessages(state, now)]
  const webhooks: TwilioWebhook[] = []
  const readForm = ({ headers, body }: StandInRequest) =>
    new URLSearchParams(String(headers['content-type']).startsWith(TWILIO_RULES.contentType.value) ? body : '')

  function answer(request: StandInRequest): StandInReply {
    const { method, path, headers } = request
    const credentials = `Basic ${Buffer.from(`${TWILIO_SID}:${TWILIO_TOKEN}`).toString('base64')}`
    if (headers.authorization !== credentials || state.locked) return toTwilioError(20003)
    const [root, at] = [`/2010-04-01/Accounts/${TWILIO_SID}`, path.slice(`/2010-04-01/Accounts/${TWILIO_SID}`.length)]
    if (!path.startsWith(root)) return toTwilioError(20404)
    if (at === '/Balance.json' && method === 'GET') return toJson(200, { account_sid: TWILIO_SID, balance: String(Number(state.funds) / 1e9), currency: 'USD' })
    const form = readForm(request)
    return parts.map((part) => part(request, at, form)).find((reply) => reply !== undefined) ?? toTwilioError(20404)
  }

  function deliver(to: string, body: string): void {
    const owner = state.held.find((one) => one.number === to && !one.released)
    if (!owner) return
    const sid = `SM${String(state.messages.length).padStart(32, '0')}`
    const from = '+18005550100'
    state.messages.push({ sid, body, from, to, service: null, direction: 'inbound', createdAt: now(), status: 'received' })
    // Without an address a message is only listed.
    if (!owner.smsUrl) return
    const params = {
      ...{ ToCountry: 'US', ToState: 'CA', ToCity: '', ToZip: '', FromCountry: 'US', FromState: '', FromCity: '', FromZip: '' },
      ...{ SmsMessageSid: sid, SmsSid: sid, MessageSid: sid, AccountSid: TWILIO_SID, ApiVersion: '2010-04-01', SmsStatus: 'received' },
      ...{ NumMedia: '0', NumSegments: '1', From: from, To: to, Body: body },
    }
    oracle?.checkSent('incomingMessage', params)
    const headers = { 'content-type': TWILIO_RULES.contentType.value, 'x-twilio-signature': signTwilioWebhook(owner.smsUrl, params) }
    webhooks.push({ url: owner.smsUrl, headers, body: Buffer.from(new URLSearchParams(params).toString()) })
  }

  return Object.assign(state, {
    company: await startStandInServer(answer, oracle ? { oracle } : {}),
    webhooks,
    deliver,
    settle: (status: 'delivered' | 'undelivered' = 'delivered') => {
      for (const one of state.messages) if (one.direction === 'outbound-api') one.status = status
    },
    book: () => ({
      spent: state.held.reduce((all, { price }) => all + price, 0n),
      open: state.held.filter(({ released }) => !released).map(({ number }) => number),
    }),
  })
}
