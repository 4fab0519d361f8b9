import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { TWILIO_RULES } from './rules.ts'
import { TWILIO_SID, toJson, toPage, toRfc2822, toTwilioError } from './wire.ts'
import type { TwilioMessage, TwilioState } from './wire.ts'

function describeMessage({ sid, body, from, to, service, direction, createdAt, status }: TwilioMessage) {
  const isFinal = status !== 'queued' && status !== 'accepted'
  return {
    ...{ sid, account_sid: TWILIO_SID, body, from, to, direction, status, messaging_service_sid: service, api_version: '2010-04-01' },
    ...{ num_segments: String(Math.ceil(body.length / 70)), num_media: '0', price: isFinal ? '-0.00750' : null, price_unit: 'USD' },
    ...{ error_code: status === 'undelivered' ? 30_003 : null, error_message: null },
    ...{ date_created: toRfc2822(createdAt), date_updated: toRfc2822(createdAt), date_sent: isFinal ? toRfc2822(createdAt) : null },
    ...{ uri: `/2010-04-01/Accounts/${TWILIO_SID}/Messages/${sid}.json`, subresource_uris: {} },
  }
}

/** Messages: sending and the list, newest first. Undefined for a path that is not of them. */
export function createTwilioMessages(state: TwilioState, now: () => Date) {
  function send(form: URLSearchParams): StandInReply {
    const [to, body, from, service] = [form.get('To') ?? '', form.get('Body') ?? '', form.get('From'), form.get('MessagingServiceSid')]
    if (state.refusal) return toTwilioError(state.refusal)
    if (!to) return toTwilioError(21604)
    if (!TWILIO_RULES.number.pattern.test(to)) return toTwilioError(21211)
    if (!body) return toTwilioError(21602)
    if (body.length > TWILIO_RULES.bodyCharacters.most) return toTwilioError(21617)
    if (Boolean(from) === Boolean(service)) return toTwilioError(21603)
    if (from && !state.senders.has(from)) return toTwilioError(21606)
    if (service && !state.services.has(service)) return toTwilioError(21701)
    const refused = [...state.refused].find(([prefix]) => to.startsWith(prefix))
    if (refused) return toTwilioError(refused[1])
    const sid = `SM${String(state.messages.length).padStart(32, '0')}`
    const one: TwilioMessage = { sid, body, from, to, service, direction: 'outbound-api', createdAt: now(), status: service ? 'accepted' : 'queued' }
    state.messages.push(one)
    return toJson(201, describeMessage(one))
  }
  return ({ method, query }: StandInRequest, at: string, form: URLSearchParams): StandInReply | undefined => {
    if (at !== '/Messages.json') return undefined
    if (method === 'POST') return send(form)
    const list = state.messages.filter(({ to, from }) => (!query.has('To') || to === query.get('To')) && (!query.has('From') || from === query.get('From')))
    return toPage('messages', list.toReversed().map(describeMessage), { at, query, most: state.maxPage })
  }
}
