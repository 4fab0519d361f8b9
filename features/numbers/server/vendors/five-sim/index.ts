import { failedReplyError, rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { z } from 'zod'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import {
  type NumberCountry,
  type NumberMessage,
  type NumberService,
  type NumberSupplier,
  type NumberOffer,
  type NumberRefusal,
  type RentalStatus,
  type NumberTools,
  type NumberSupplierVendor,
  type NumberRequest,
  findMessageCode,
  parseSupplierCost,
  rateEnv,
} from '../port.ts'
import { listForeignAddresses } from '#platform/shared/suppliers/test-account.ts'

const fiveSimEnv = {
  /** 5sim's API token. The account must be exclusive to this installation: numbers without an order here are given back. */
  NUMBERS_5SIM_TOKEN: z.string().min(16).optional(),
  /** Base URL of 5sim. */
  NUMBERS_5SIM_URL: z.url().default('https://5sim.net'),
  /** Value of one unit of its currency in dollars. */
  NUMBERS_5SIM_RATE: rateEnv,
} as const

const NAME = '5sim'
const DEADLINE_MS = 10_000
const SERVICES: Readonly<Record<NumberService, string>> = {
  openai: 'openai',
  claude: 'claudeai',
  google: 'google',
  telegram: 'telegram',
  whatsapp: 'whatsapp',
  discord: 'discord',
  microsoft: 'microsoft',
  any: 'other',
}
const COUNTRIES: Readonly<Record<NumberCountry, string>> = { US: 'usa', GB: 'england', DE: 'germany', BR: 'brazil', ID: 'indonesia' }

/** Errors in plain text, with status 200 or 400. */
const REFUSED: Readonly<Record<string, NumberRefusal>> = {
  'no free phones': 'no_numbers',
  'not enough user balance': 'no_balance',
  'not enough rating': 'account',
  'unauthorized': 'account',
  'no product': 'not_sold',
  'bad country': 'not_sold',
  'bad operator': 'not_sold',
  'select country': 'not_sold',
  'select operator': 'not_sold',
  'server offline': 'no_numbers',
}

const order = z.object({
  id: z.number(),
  phone: z.string(),
  price: z.union([z.number(), z.string()]),
  status: z.enum(['PENDING', 'RECEIVED', 'CANCELED', 'TIMEOUT', 'FINISHED', 'BANNED']),
  sms: z
    .array(z.object({ created_at: z.string(), text: z.string().default(''), code: z.string().default('') }))
    .nullish()
    .transform((list) => list ?? []),
})
type Order = z.output<typeof order>

/** 5sim.net. docs/vendors/numbers.md */
export const fiveSim: NumberSupplierVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => listForeignAddresses(config, { NUMBERS_5SIM_URL: /^5sim\.(net|biz)$/ }),
  env: fiveSimEnv,
  connect: (config, tools) => {
    const token = config['NUMBERS_5SIM_TOKEN'] as string | undefined
    if (!token) return undefined
    const url = ((config['NUMBERS_5SIM_URL'] as string | undefined) ?? 'https://5sim.net').replace(/\/$/, '')
    return supplierOf({ token, url, rate: (config['NUMBERS_5SIM_RATE'] as string | undefined) ?? '1' }, tools)
  },
}

interface FiveSimAccount {
  readonly token: string
  readonly url: string
  readonly rate: string
}

/** Returns the response as text. 401 concerns our account; unknown words leave the outcome open. */
async function callFiveSim({ url, token }: FiveSimAccount, { fetch }: Pick<NumberTools, 'fetch'>, path: string): Promise<{ status: number; said: string }> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const writes = WRITES.test(path)
  const { status, body, header } = await sendOutgoingRequest(fetch, { method: 'GET', writes, url: `${url}${path}`, headers, deadlineMs: DEADLINE_MS })
  const said = body.toString('utf8').trim()
  if (status === 401) throw rejectedError('account', 'HTTP 401', { ours: true })
  const refused = said.length < 60 ? REFUSED[said.toLowerCase().replaceAll('"', '')] : undefined
  if (refused) throw rejectedError(refused, said, { ours: refused === 'account' || refused === 'no_balance' })
  if (status === 429 || status >= 500) throw failedReplyError({ status, writes, retryAfter: header('retry-after') })
  return { status, said }
}

/** Every call is a GET at 5sim, including writes. */
const WRITES = /^\/v1\/user\/(buy|finish|cancel)\//

const unexpectedReply = (what: string, status: number) =>
  failedReplyError({ status, writes: what === 'rent' || what === 'finish' || what === 'cancel', said: `could not ${what}` })

function parseOrder(what: string, { status, said }: { status: number; said: string }): Order {
  if (status !== 200 || !said.startsWith('{')) throw unexpectedReply(what, status)
  return order.parse(JSON.parse(said))
}

function supplierOf(account: FiveSimAccount, tools: NumberTools): NumberSupplier {
  const get = (path: string) => callFiveSim(account, tools, path)
  const plain = ({ said }: { said: string }) => said.toLowerCase().replaceAll('"', '')
  const offerOf = async ({ service, country }: NumberRequest) => {
    const { status, said } = await get(`/v1/guest/prices?country=${COUNTRIES[country]}&product=${SERVICES[service]}`)
    if (status !== 200 || !said.startsWith('{')) throw unexpectedReply('tell prices', status)
    return findCheapestOffer(JSON.parse(said), COUNTRIES[country], { product: SERVICES[service], rate: account.rate })
  }
  const lookAt = async (ref: string): Promise<RentalStatus> => {
    const reply = await get(`/v1/user/check/${ref}`)
    if (reply.status === 404 && plain(reply) === 'order not found') return { state: 'gone', messages: [] }
    return toRentalStatus(parseOrder('check', reply))
  }
  return {
    name: NAME,
    offer: offerOf,
    rent: async (call) => {
      const offer = await offerOf(call)
      if (!offer) throw rejectedError('no_numbers')
      if (offer.cost > call.maxCost) throw rejectedError('too_dear')
      const bought = parseOrder('rent', await get(`/v1/user/buy/activation/${COUNTRIES[call.country]}/${offer.operator}/${SERVICES[call.service]}`))
      return { ref: String(bought.id), number: toE164(bought.phone), cost: parseSupplierCost(bought.price, account.rate) }
    },
    look: ({ ref }) => lookAt(ref),
    finish: async ({ ref }) => {
      const reply = await get(`/v1/user/finish/${ref}`)
      // A gateway's error page is not an answer of 5sim
      if (!['order not found', 'order expired'].includes(plain(reply))) parseOrder('finish', reply)
    },
    cancel: async ({ ref }) => {
      const reply = await get(`/v1/user/cancel/${ref}`)
      if (plain(reply) === 'order has sms') return 'received'
      if (reply.status === 200 && reply.said.startsWith('{')) return 'cancelled'
      // Timed out or unknown at 5sim: the state of the order decides
      const { state, messages } = await lookAt(ref)
      if (state === 'open' && !messages.length) throw unexpectedReply('cancel', reply.status)
      return state === 'gone' ? 'cancelled' : 'received'
    },
    open: async () => {
      const { status, said } = await get('/v1/user/orders?category=activation&limit=1000&offset=0&order=id&reverse=true')
      if (status !== 200 || !said.startsWith('{')) throw unexpectedReply('list orders', status)
      const { Data } = z.object({ Data: z.array(order).nullable() }).parse(JSON.parse(said))
      return (Data ?? []).filter((one) => isOpen(one.status)).map(({ id, phone }) => ({ ref: String(id), number: toE164(phone) }))
    },
    balance: async () => {
      const { status, said } = await get('/v1/user/profile')
      if (status !== 200 || !said.startsWith('{')) throw unexpectedReply('tell the balance', status)
      return parseSupplierCost((JSON.parse(said) as { balance: unknown }).balance, account.rate)
    },
  }
}

const toE164 = (phone: string) => `+${phone.replace(/\D/g, '')}`
const isOpen = (status: Order['status']) => status === 'PENDING' || status === 'RECEIVED'

/** RECEIVED may mean that it still waits: only `sms` shows received messages. */
function toRentalStatus({ status, sms }: Order): RentalStatus {
  const messages = sms.map(({ created_at: createdAt, text, code }): NumberMessage => {
    const key = `${createdAt} ${code || text}`.slice(0, 200)
    return { key, id: key, text, code: code || findMessageCode(text) }
  })
  if (isOpen(status)) return { state: 'open', messages }
  return { state: status === 'FINISHED' || messages.length ? 'done' : 'gone', messages }
}

/** Parses `{country: {product: {operator: {cost, count, rate}}}}`. Prefers the operator with the better rate among equal prices. */
function findCheapestOffer(
  value: unknown,
  country: string,
  { product, rate }: { readonly product: string; readonly rate: string },
): (NumberOffer & { operator: string }) | undefined {
  const operators = (value as Record<string, Record<string, Record<string, { cost: unknown; count: number; rate?: number }>>>)[country]?.[product]
  const [best] = Object.entries(operators ?? {})
    .filter(([, { count }]) => count > 0)
    .map(([operator, one]) => ({ operator, cost: parseSupplierCost(one.cost, rate), count: one.count, rate: one.rate ?? 0 }))
    .toSorted((a, b) => (a.cost === b.cost ? b.rate - a.rate : a.cost < b.cost ? -1 : 1))
  return best && /^[\w-]{1,40}$/.test(best.operator) ? { operator: best.operator, cost: best.cost, count: best.count } : undefined
}
