import { formatUsd } from '#platform/shared/money.ts'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { InMemorySupplier } from '../../../testing/in-memory-supplier.ts'
import type { RawRequest } from '../../port.ts'
import { twilio, signTwilioRequest } from '../index.ts'

const SID = `AC${'0'.repeat(32)}`
const TOKEN = 'fake-twilio-token-00'
const HOOK = 'https://mingxi.test/notify/number/twilio'
interface HeldNumber {
  readonly sid: string
  readonly number: string
  readonly price: bigint
  readonly name: string
  released: boolean
}

/** A fake Twilio as documented: a number is charged for its month when it is bought, without refund. */
export async function aTwilioCompany({ now = () => new Date(), hook = HOOK } = {}): Promise<
  InMemorySupplier & { readonly notices: RawRequest[]; readonly hook: string; /** Offers the number released last again. */ resells: boolean }
> {
  const held: HeldNumber[] = []
  const messages: { sid: string; body: string; to: string; direction: string; date_created: string }[] = []
  const notices: RawRequest[] = []
  const json = (status: number, value: unknown): StandInReply => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  const fresh = () => (played.resells && held.findLast(({ released }) => released)?.number) || `+1415555${1000 + held.length}`
  const wire = ({ sid, number, name }: HeldNumber) => ({ sid, phone_number: number, friendly_name: name })

  const buy = (form: URLSearchParams): StandInReply => {
    if (!played.stock) return json(400, { code: 21422, message: 'PhoneNumber is not available', status: 400 })
    if (played.funds < played.price) return json(400, { code: 21404, message: 'Trial or balance', status: 400 })
    played.stock--
    played.funds -= played.price
    const one: HeldNumber = {
      sid: `PN${String(held.length).padStart(32, '0')}`,
      number: form.get('PhoneNumber')!,
      price: played.price,
      name: form.get('FriendlyName') ?? '',
      released: false,
    }
    held.push(one)
    return json(201, wire(one))
  }
  const answer = ({ method, path, query, headers, body }: StandInRequest): StandInReply => {
    const right = `Basic ${Buffer.from(`${SID}:${TOKEN}`).toString('base64')}`
    if (headers.authorization !== right || played.locked) return json(401, { code: 20003, message: 'Authenticate', status: 401 })
    const at = path.replace(`/2010-04-01/Accounts/${SID}`, '')
    if (at === '/Balance.json') return json(200, { balance: formatUsd(played.funds), currency: 'USD' })
    if (at === '/AvailablePhoneNumbers/US/Local.json') {
      const list = Array.from({ length: Math.min(played.stock, Number(query.get('PageSize'))) }, () => ({ phone_number: fresh() }))
      return json(200, { available_phone_numbers: list })
    }
    if (at === '/IncomingPhoneNumbers.json' && method === 'POST') return buy(new URLSearchParams(body))
    if (at === '/IncomingPhoneNumbers.json')
      return json(200, { incoming_phone_numbers: held.filter(({ released }) => !released).map(wire), next_page_uri: null })
    if (at === '/Messages.json') return json(200, { messages: messages.filter(({ to }) => to === query.get('To')).toReversed() })
    const one = held.find(({ sid, released }) => !released && at === `/IncomingPhoneNumbers/${sid}.json`)
    if (!one) return json(404, { code: 20404, message: 'not found', status: 404 })
    if (method !== 'DELETE') return json(200, wire(one))
    one.released = true
    return { status: 204, body: '' }
  }
  const company = await startStandInServer(answer)
  const played = {
    company,
    notices,
    hook,
    resells: false,
    price: 1_150_000_000n,
    stock: 100,
    funds: 50_000_000_000n,
    locked: false,
    supplier: twilio.connect(
      { NUMBERS_TWILIO_SID: SID, NUMBERS_TWILIO_TOKEN: TOKEN, NUMBERS_TWILIO_URL: company.url, NUMBERS_TWILIO_COST: '1.15' },
      { ...aSupplierTools(), now, noticeUrl: () => hook },
    )!,
    deliver: (number: string, said: string) => {
      if (!held.some((one) => one.number === number && !one.released)) return
      const sid = `SM${String(messages.length).padStart(32, '0')}`
      messages.push({ sid, body: said, to: number, direction: 'inbound', date_created: now().toUTCString() })
      const form = new URLSearchParams({ ToCountry: 'US', MessageSid: sid, AccountSid: SID, To: number, From: '+18005550100', Body: said })
      notices.push({
        params: {},
        query: {},
        headers: { 'x-twilio-signature': signTwilioRequest(TOKEN, hook, form) },
        body: Buffer.from(form.toString()),
        ip: '127.0.0.1',
        requestId: 'req',
      })
    },
    timeOut: () => {},
    book: () => ({ spent: held.reduce((all, { price }) => all + price, 0n), open: held.filter(({ released }) => !released).map(({ number }) => number) }),
  }
  return played
}
