import { failedReplyError, rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { parseUsd } from '#platform/shared/money.ts'
import {
  type Nano,
  type NumberMessage,
  type NumberNotice,
  type NumberSupplier,
  type RawRequest,
  type NumberTools,
  type NumberSupplierVendor,
  findMessageCode,
  parseSupplierCost,
} from '../port.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

const twilioEnv = {
  /** Account SID of a Twilio account (or subaccount) used for number rental only. */
  NUMBERS_TWILIO_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be an account SID')
    .optional(),
  /** Auth token; also verifies the signature of Twilio's webhooks. */
  NUMBERS_TWILIO_TOKEN: z.string().min(16).optional(),
  /** Base URL of Twilio. */
  NUMBERS_TWILIO_URL: z.url().default('https://api.twilio.com'),
  /** Price of a number for its first month in dollars; it is not refunded. */
  NUMBERS_TWILIO_COST: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/)
    .default('1.15'),
} as const

const NAME = 'twilio'
const DEADLINE_MS = 15_000
/** Countries in which numbers can be bought without documents; each is rented by the month and used by one member. */
const COUNTRIES: ReadonlySet<string> = new Set(['US'])

interface TwilioAccount {
  readonly sid: string
  readonly token: string
  readonly url: string
  readonly cost: Nano
}

/** Twilio: rents numbers for as long as they are needed; messages come as signed webhooks and can be polled. docs/vendors/numbers.md */
export const twilio: NumberSupplierVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { NUMBERS_TWILIO_URL: /^api(\.[a-z0-9-]+){0,2}\.twilio\.com$/ }),
  env: twilioEnv,
  connect: (config, tools) => {
    const [sid, token] = [config['NUMBERS_TWILIO_SID'], config['NUMBERS_TWILIO_TOKEN']] as (string | undefined)[]
    if (!sid && !token) return undefined
    if (!sid || !token) throw new Error('numbers over Twilio need NUMBERS_TWILIO_SID and NUMBERS_TWILIO_TOKEN')
    const url = ((config['NUMBERS_TWILIO_URL'] as string | undefined) ?? 'https://api.twilio.com').replace(/\/$/, '')
    return supplierOf({ sid, token, url, cost: parseUsd((config['NUMBERS_TWILIO_COST'] as string | undefined) ?? '1.15') }, tools)
  },
}

interface TwilioCallOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly form?: Readonly<Record<string, string>>
}

/** 401 and 403 concern our account. Any other 4xx on a write is a refusal with Twilio's error code. */
async function callTwilio(
  { url, sid, token }: TwilioAccount,
  { fetch }: Pick<NumberTools, 'fetch'>,
  { path, method = 'GET', form }: TwilioCallOptions & { readonly path: string },
) {
  const { status, body, header } = await sendOutgoingRequest(fetch, {
    method,
    url: `${url}/2010-04-01/Accounts/${sid}${path}`,
    headers: {
      authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
      ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
    },
    ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    deadlineMs: DEADLINE_MS,
  })
  const said = body.toString('utf8')
  const value = parseReplyJson(said)
  const code = (value as { code?: number } | undefined)?.code
  if (status === 401 || status === 403) throw rejectedError('account', `HTTP ${status}`, { ours: true })
  // 21422, 21421: another customer took the number; 21404, 21405: no balance, trial limit
  if (status === 400 && (code === 21422 || code === 21421)) throw rejectedError('no_numbers')
  if (status === 400 && (code === 21404 || code === 21405)) throw rejectedError('no_balance')
  if (status === 429 || status >= 500) throw failedReplyError({ status, writes: method !== 'GET', retryAfter: header('retry-after'), said: String(code ?? '') })
  return { status, value }
}

function parseReplyJson(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}

const number = z.object({ sid: z.string(), phone_number: z.string() })
const numbers = z.object({ incoming_phone_numbers: z.array(number), next_page_uri: z.string().nullish() })
const message = z.object({ sid: z.string(), body: z.string(), direction: z.string(), date_created: z.string() })

const unexpectedReply = (what: string, status: number, writes = false) => failedReplyError({ status, writes, said: `could not ${what}` })

function supplierOf(account: TwilioAccount, tools: NumberTools): NumberSupplier {
  const call = (path: string, more?: TwilioCallOptions) => callTwilio(account, tools, { path, ...more })
  const free = async (country: string, size: number) => {
    const { status, value } = await call(`/AvailablePhoneNumbers/${country}/Local.json?SmsEnabled=true&PageSize=${size}`)
    if (status !== 200) throw unexpectedReply('list numbers', status)
    return z.object({ available_phone_numbers: z.array(z.object({ phone_number: z.string() })) }).parse(value).available_phone_numbers
  }
  const held = async (query: string) => {
    const list: z.output<typeof number>[] = []
    for (let path: string | undefined = `/IncomingPhoneNumbers.json?PageSize=1000${query}`; path;) {
      const { status, value } = await call(path)
      if (status !== 200) throw unexpectedReply('list what is rented', status)
      const page = numbers.parse(value)
      list.push(...page.incoming_phone_numbers)
      path = page.next_page_uri?.split(`/Accounts/${account.sid}`)[1]
    }
    return list
  }
  /** Twilio reuses numbers: older messages belong to another customer. Its timestamps have whole seconds. */
  const messagesTo = async (to: string, since: Date): Promise<NumberMessage[]> => {
    const { status, value } = await call(`/Messages.json?To=${encodeURIComponent(to)}&PageSize=50`)
    if (status !== 200) throw unexpectedReply('read messages', status)
    const { messages } = z.object({ messages: z.array(message) }).parse(value)
    return messages
      .filter(({ direction, date_created: dateCreated }) => direction === 'inbound' && Date.parse(dateCreated) >= since.getTime() - 1000)
      .map(({ sid, body }) => ({ key: sid, id: sid, text: body, code: findMessageCode(body) }))
      .toReversed()
  }
  const release = async (sid: string) => {
    const { status } = await call(`/IncomingPhoneNumbers/${sid}.json`, { method: 'DELETE' })
    if (status !== 204 && status !== 404) throw unexpectedReply('release a number', status, true)
  }
  return {
    name: NAME,
    offer: async ({ country }) => {
      if (!COUNTRIES.has(country)) return undefined
      const count = (await free(country, 20)).length
      return count ? { cost: account.cost, count } : undefined
    },
    rent: async ({ key, country, maxCost }) => {
      if (!COUNTRIES.has(country)) throw rejectedError('not_sold')
      if (account.cost > maxCost) throw rejectedError('too_dear')
      const [wanted] = await free(country, 1)
      if (!wanted) throw rejectedError('no_numbers')
      const form = { PhoneNumber: wanted.phone_number, SmsUrl: tools.noticeUrl(), SmsMethod: 'POST', FriendlyName: key }
      const { status, value } = await call('/IncomingPhoneNumbers.json', { method: 'POST', form })
      if (status !== 201) throw unexpectedReply('rent a number', status, true)
      const got = number.parse(value)
      return { ref: got.sid, number: got.phone_number, cost: account.cost }
    },
    look: async ({ ref, number: to, since }) => {
      const { status, value } = await call(`/IncomingPhoneNumbers/${ref}.json`)
      if (status !== 404 && (status !== 200 || !number.safeParse(value).success)) throw unexpectedReply('find a number', status)
      const messages = await messagesTo(to, since)
      return { state: status === 200 ? 'open' : 'done', messages }
    },
    finish: ({ ref }) => release(ref),
    cancel: async ({ ref }) => {
      await release(ref)
      return 'cancelled'
    },
    open: async () => (await held('')).map(({ sid, phone_number: phoneNumber }) => ({ ref: sid, number: phoneNumber })),
    balance: async () => {
      const { status, value } = await call('/Balance.json')
      if (status !== 200) throw unexpectedReply('tell the balance', status)
      return parseSupplierCost((value as { balance: unknown }).balance, '1')
    },
    readNotice: (request, url) => readTwilioNotice(account, request, url),
    acknowledge: () => ({ status: 200, type: 'text/xml; charset=utf-8', body: '<Response/>' }),
  }
}

/** HMAC-SHA1 over the URL and the sorted parameters, as Twilio documents it. */
function signTwilioRequest(token: string, url: string, params: URLSearchParams): string {
  const sorted = [...params.entries()].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return createHmac('sha1', token)
    .update(url + sorted.map(([name, value]) => name + value).join(''))
    .digest('base64')
}

function readTwilioNotice({ sid, token }: TwilioAccount, request: RawRequest, url: string): NumberNotice | undefined {
  const params = new URLSearchParams(request.body.toString('utf8'))
  const given = Buffer.from(String(request.headers['x-twilio-signature'] ?? ''))
  const right = Buffer.from(signTwilioRequest(token, url, params))
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  const [to, body, key] = ['To', 'Body', 'MessageSid'].map((name) => params.get(name) ?? '') as [string, string, string]
  if (params.get('AccountSid') !== sid || !to || !key) return undefined
  return { number: to, message: { key, id: key, text: body, code: findMessageCode(body) } }
}
