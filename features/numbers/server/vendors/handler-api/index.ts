import { rejectedError, failedReplyError, unreadableError } from '#platform/shared/suppliers/supplier-error.ts'
import {
  type NumberCountry,
  type NumberMessage,
  type NumberService,
  type NumberSupplier,
  type NumberOffer,
  type RentedNumberRef,
  type RentalStatus,
  type NumberTools,
  type NumberSupplierVendor,
  findMessageCode,
  parseSupplierCost,
  type NumberRefusal,
} from '../port.ts'
import { handlerApiEnv, readHandlerApiAccount, type HandlerApiAccount } from './config.ts'
import { sendOutgoingRequest } from '#platform/server/http/http-client.ts'
import { listPlainAddresses } from '#platform/shared/suppliers/test-account.ts'

const DEADLINE_MS = 10_000

/** Plain-text responses that mean a definite refusal, with the reason. */
const REFUSED: Readonly<Record<string, NumberRefusal>> = {
  NO_NUMBERS: 'no_numbers',
  NO_NUMBER: 'no_numbers',
  NO_BALANCE: 'no_balance',
  WRONG_MAX_PRICE: 'too_dear',
  BAD_SERVICE: 'not_sold',
  WRONG_SERVICE: 'not_sold',
  BAD_COUNTRY: 'not_sold',
  BAD_KEY: 'account',
  WRONG_KEY: 'account',
  BANNED: 'account',
  ACCOUNT_INACTIVE: 'account',
}

/** Words about an activation, which some suppliers send with a status of 4xx (privatesms.vip/documentation/actions-with-number). */
const ACTIVATION_WORDS = /^(NO_ACTIVATIONS?|BAD_STATUS|EARLY_CANCEL_DENIED)\b/

/** Performs one action. The protocol puts the key into the query, so no error and no log may contain the URL. */
async function callHandlerApi(
  account: HandlerApiAccount,
  tools: Pick<NumberTools, 'fetch'>,
  { action, params = {} }: { readonly action: string; readonly params?: Readonly<Record<string, string>> },
): Promise<string> {
  const url = new URL(account.url)
  for (const [name, value] of Object.entries({ api_key: account.key, action, ...params })) url.searchParams.set(name, value)
  const writes = action === 'getNumber' || action === 'setStatus'
  const reply = await sendOutgoingRequest(tools.fetch, { method: 'GET', writes, url: url.href, deadlineMs: DEADLINE_MS })
  const said = reply.body.toString('utf8').trim()
  // Suppliers send plain-text errors with 4xx or 200
  const refused = REFUSED[/^[A-Z_]+/.exec(said)?.[0] ?? '']
  if (refused) throw rejectedError(refused, /^[A-Z_]+/.exec(said)?.[0], { ours: refused === 'account' || refused === 'no_balance' })
  const isAnswer = reply.status === 200 || (reply.status >= 400 && reply.status < 500 && ACTIVATION_WORDS.test(said))
  if (!isAnswer || said.startsWith('<')) throw failedReplyError({ status: reply.status, writes, retryAfter: reply.header('retry-after'), said: action })
  return said
}

/** Error for an unexpected response; contains only its first word, e.g. ERROR_SQL. */
const unexpectedHandlerApiReply = (action: string, said: string) =>
  unreadableError(action === 'getNumber' || action === 'setStatus', `handler_api ${action} said ${/^[A-Z_]{1,40}/.exec(said)?.[0] ?? 'something else'}`)

const NAME = 'handler-api'
const SERVICES: Readonly<Record<NumberService, string>> = {
  openai: 'dr',
  claude: 'acz',
  google: 'go',
  telegram: 'tg',
  whatsapp: 'wa',
  discord: 'ds',
  microsoft: 'mm',
  any: 'ot',
}
const COUNTRIES: Readonly<Record<NumberCountry, string>> = { US: '187', GB: '16', DE: '43', BR: '73', ID: '6' }

/** The protocol of sms-activate, which many suppliers implement: one URL, plain-text responses. docs/vendors/numbers.md */
export const handlerApi: NumberSupplierVendor = {
  name: NAME,
  sandbox: false,
  listTestSettings: (config) => listPlainAddresses(config, ['NUMBERS_HANDLER_API_URL']),
  env: handlerApiEnv,
  connect: (config, tools) => {
    const account = readHandlerApiAccount(config)
    return account && supplierOf(account, tools)
  },
}

function supplierOf(account: HandlerApiAccount, tools: NumberTools): NumberSupplier {
  const ask = (action: string, params?: Readonly<Record<string, string>>) => callHandlerApi(account, tools, { action, params })
  const supplier: NumberSupplier = {
    name: NAME,
    offer: async ({ service, country }) => {
      const said = await ask('getPrices', { service: SERVICES[service], country: COUNTRIES[country] })
      return parseOffer(JSON.parse(said), SERVICES[service], { country: COUNTRIES[country], rate: account.rate })
    },
    rent: async (call) => {
      const offer = await supplier.offer(call)
      if (!offer) throw rejectedError('no_numbers')
      if (offer.cost > call.maxCost) throw rejectedError('too_dear')
      const said = await ask('getNumber', { service: SERVICES[call.service], country: COUNTRIES[call.country] })
      const [, ref, digits] = /^ACCESS_NUMBER:(\d+):\+?(\d{6,15})$/.exec(said) ?? []
      if (!ref) throw unexpectedHandlerApiReply('getNumber', said)
      return { ref, number: `+${digits}`, cost: offer.cost }
    },
    look: async ({ ref }) => parseRentalStatus(await ask('getStatus', { id: ref })),
    finish: async ({ ref }) => {
      const said = await ask('setStatus', { id: ref, status: '6' })
      if (!/^(ACCESS_ACTIVATION|NO_ACTIVATION|BAD_STATUS)/.test(said)) throw unexpectedHandlerApiReply('setStatus', said)
    },
    cancel: async ({ ref }) => {
      const said = await ask('setStatus', { id: ref, status: '8' })
      if (said.startsWith('EARLY_CANCEL_DENIED')) return 'too_early'
      if (said.startsWith('ACCESS_CANCEL') || said.startsWith('NO_ACTIVATION')) return 'cancelled'
      if (!said.startsWith('BAD_STATUS') && !said.startsWith('ACCESS_ACTIVATION')) throw unexpectedHandlerApiReply('setStatus', said)
      // Its state allows no cancelling: a message arrived first, or it has ended
      const { state } = parseRentalStatus(await ask('getStatus', { id: ref }))
      return state === 'gone' ? 'cancelled' : 'received'
    },
    open: async () => parseOpenRentals(await ask('getActiveActivations')),
    balance: async () => {
      const said = await ask('getBalance')
      const [, amount] = /^ACCESS_BALANCE:\s*([\d.]+)/.exec(said) ?? []
      if (!amount) throw unexpectedHandlerApiReply('getBalance', said)
      return parseSupplierCost(amount, account.rate)
    },
  }
  return supplier
}

/** Parses `{country: {service: {cost, count}}}`; some suppliers send `{price: count}` in place of the innermost object. */
function parseOffer(value: unknown, service: string, { country, rate }: { readonly country: string; readonly rate: string }): NumberOffer | undefined {
  const found = (value as Record<string, Record<string, Record<string, unknown>> | undefined>)[country]?.[service]
  if (!found || typeof found !== 'object') return undefined
  if ('cost' in found) {
    const count = Number(found['count'])
    return count > 0 ? { cost: parseSupplierCost(found['cost'], rate), count } : undefined
  }
  const [cheapest] = Object.entries(found)
    .map(([price, count]) => ({ cost: parseSupplierCost(price, rate), count: Number(count) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => (a.cost < b.cost ? -1 : 1))
  return cheapest
}

function parseRentalStatus(said: string): RentalStatus {
  const [, code] = /^STATUS_(?:OK|WAIT_RETRY):([\s\S]+)$/.exec(said) ?? []
  if (code) return { state: 'open', messages: [toNumberMessage(code.trim())] }
  if (/^STATUS_WAIT_(CODE|RETRY|RESEND)/.test(said)) return { state: 'open', messages: [] }
  if (said.startsWith('STATUS_CANCEL') || said.startsWith('NO_ACTIVATION')) return { state: 'gone', messages: [] }
  throw unexpectedHandlerApiReply('getStatus', said)
}

/** The code, or the whole text at some suppliers. */
const toNumberMessage = (said: string): NumberMessage =>
  /^[\d -]{3,10}$/.test(said) ? { key: said, text: '', code: said.replace(/\D/g, '') } : { key: said.slice(0, 200), text: said, code: findMessageCode(said) }

function parseOpenRentals(said: string): readonly RentedNumberRef[] {
  if (said.startsWith('NO_ACTIVATIONS')) return []
  const { status, activeActivations, error } = JSON.parse(said) as {
    status?: string
    error?: string
    activeActivations?: readonly { activationId: string | number; phoneNumber: string | number }[]
  }
  if (error === 'NO_ACTIVATIONS') return []
  if (status !== 'success' || !Array.isArray(activeActivations)) throw unexpectedHandlerApiReply('getActiveActivations', error ?? '')
  return activeActivations.map(({ activationId, phoneNumber }) => ({ ref: String(activationId), number: `+${String(phoneNumber).replace(/\D/g, '')}` }))
}
