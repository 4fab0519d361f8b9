import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { TWILIO_SID, toJson, toPage, toRfc2822, toTwilioError } from './wire.ts'
import type { TwilioNumber, TwilioState } from './wire.ts'
import { TWILIO_RULES } from './rules.ts'

const CAPABILITIES = { voice: true, sms: true, mms: true, fax: false }
const NO_SIDS = {
  ...{ address_sid: null, identity_sid: null, sms_application_sid: null, trunk_sid: null, voice_application_sid: null, emergency_address_sid: null },
  bundle_sid: null,
}
const NO_VOICE = {
  ...{
    voice_receive_mode: 'voice',
    voice_caller_id_lookup: false,
    voice_fallback_method: 'POST',
    voice_fallback_url: null,
    voice_method: 'POST',
    voice_url: null,
  },
  ...{ status_callback: null, status_callback_method: 'POST', sms_fallback_method: 'POST', sms_fallback_url: null },
}

function describeNumber({ sid, number, name, smsUrl, smsMethod, createdAt }: TwilioNumber) {
  return {
    ...{ account_sid: TWILIO_SID, sid, phone_number: number, friendly_name: name, ...NO_SIDS, ...NO_VOICE },
    ...{
      sms_url: smsUrl || null,
      sms_method: smsMethod,
      address_requirements: 'none',
      api_version: '2010-04-01',
      beta: false,
      capabilities: CAPABILITIES,
      origin: 'twilio',
    },
    ...{ date_created: toRfc2822(createdAt), date_updated: toRfc2822(createdAt), emergency_status: 'Active', emergency_address_status: 'unregistered' },
    ...{ uri: `/2010-04-01/Accounts/${TWILIO_SID}/IncomingPhoneNumbers/${sid}.json`, status: 'in-use', type: 'local' },
  }
}

/** Numbers: search, purchase, list, look, release. Undefined for a path that is not of them. */
export function createTwilioNumbers(state: TwilioState, now: () => Date) {
  const { held } = state
  const nameFresh = (index: number) => (state.resells && held.findLast(({ released }) => released)?.number) || `+1415555${1000 + held.length + index}`
  const isFree = (number: string) => /^\+1415555\d{4}$/.test(number) && !held.some((one) => one.number === number && !one.released)

  function search(query: URLSearchParams, at: string): StandInReply {
    const size = Math.min(state.stock, Number(query.get('PageSize') ?? TWILIO_RULES.pageSize.usual))
    const list = Array.from({ length: size }, (_, index) => ({
      ...{ friendly_name: nameFresh(index), phone_number: nameFresh(index), lata: '722', locality: 'San Francisco', rate_center: 'SNFC CNTRL' },
      ...{ latitude: 37.7, longitude: -122.4, region: 'CA', postal_code: '94103', iso_country: 'US', address_requirements: 'none', beta: false },
      capabilities: { voice: true, sms: true, mms: true },
    }))
    return toPage('available_phone_numbers', list, { at, query, most: state.maxPage })
  }
  function buy(form: URLSearchParams): StandInReply {
    const [number, name, smsUrl, smsMethod] = [
      form.get('PhoneNumber') ?? '',
      form.get('FriendlyName'),
      form.get('SmsUrl') ?? '',
      form.get('SmsMethod') ?? 'POST',
    ]
    if (!TWILIO_RULES.number.pattern.test(number)) return toTwilioError(21421)
    if (name !== null && (name.length < TWILIO_RULES.friendlyName.least || name.length > TWILIO_RULES.friendlyName.most)) return toTwilioError(20002)
    if (smsUrl !== '' && !/^https?:\/\/[^/]+/.test(smsUrl)) return toTwilioError(21402)
    if (!state.stock || !isFree(number)) return toTwilioError(21422)
    if (state.funds < state.price) return toTwilioError(21404)
    state.stock--
    state.funds -= state.price
    const sid = `PN${String(held.length).padStart(32, '0')}`
    const one: TwilioNumber = { sid, number, price: state.price, name: name ?? number, smsUrl, smsMethod, createdAt: now(), released: false }
    held.push(one)
    return toJson(201, describeNumber(one))
  }
  return (request: StandInRequest, at: string, form: URLSearchParams): StandInReply | undefined => {
    const { method, query } = request
    if (at === '/AvailablePhoneNumbers/US/Local.json' && method === 'GET') return search(query, at)
    if (at === '/IncomingPhoneNumbers.json' && method === 'POST') return buy(form)
    if (at === '/IncomingPhoneNumbers.json')
      return toPage('incoming_phone_numbers', held.filter(({ released }) => !released).map(describeNumber), { at, query, most: state.maxPage })
    const one = held.find(({ sid, released }) => !released && at === `/IncomingPhoneNumbers/${sid}.json`)
    if (!one) return undefined
    if (method === 'GET') return toJson(200, describeNumber(one))
    if (method !== 'DELETE') return undefined
    one.released = true
    return { status: 204, body: '' }
  }
}
