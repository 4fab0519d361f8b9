import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { createHandlerApiOracle } from './oracle.ts'
import { EARLY_CANCEL_MS, HANDLER_API_COUNTRIES, HANDLER_API_REFUSALS, HANDLER_API_SERVICES } from './rules.ts'
import type { HandlerApiRefusal } from './rules.ts'

export const HANDLER_API_KEY = 'fake-handler-key'
const PATH = '/stubs/handler_api.php'

interface Activation {
  readonly id: number
  readonly number: string
  readonly service: string
  readonly country: string
  readonly price: bigint
  readonly at: number
  state: 'open' | 'cancelled' | 'finished'
  code: string
}

/** Amounts are billionths of its unit of money. */
export interface HandlerApi {
  readonly company: StandInServer
  price: bigint
  stock: number
  funds: bigint
  /** The key is unknown to it. */
  locked: boolean
  /** Refuses to cancel in the first two minutes, as some suppliers do. */
  early: boolean
  /** Sends the whole text in place of the code, as some suppliers do. */
  wholeTexts: boolean
  /** Sends refusals with HTTP statuses of 400 and above, as some suppliers do; else with 200. */
  usesStatuses: boolean
  /** Refusal of all purchases, whatever their reason would be. */
  refusal: HandlerApiRefusal | undefined
  deliver(number: string, text: string): void
  /** Ends an activation by time. */
  timeOut(number: string): void
  book(): { readonly spent: bigint; readonly open: readonly string[] }
}

const toDecimal = (nano: bigint) => String(Number(nano) / 1e9)
const findCode = (text: string) => (/\d{3}[- ]\d{3}|\d{4,8}/.exec(text)?.[0] ?? '').replace(/\D/g, '')
const text = (body: string, status = 200): StandInReply => ({ status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body })
const json = (value: unknown): StandInReply => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })

/** A supplier with the `handler_api.php` protocol: a cancelled number without a code is refunded, one with a code is charged. */
export async function startHandlerApi({ now = () => new Date(), early = false } = {}): Promise<HandlerApi> {
  const activations = new Map<number, Activation>()
  const refuse = (word: HandlerApiRefusal) => text(word, supplier.usesStatuses ? HANDLER_API_REFUSALS[word].status : 200)
  const listOpen = () => [...activations.values()].filter(({ state }) => state === 'open')

  function sell(service: string, country: string): StandInReply {
    if (supplier.refusal) return refuse(supplier.refusal)
    if (!HANDLER_API_SERVICES.includes(service)) return refuse('BAD_SERVICE')
    if (!HANDLER_API_COUNTRIES.includes(country)) return refuse('BAD_COUNTRY')
    if (!supplier.stock) return refuse('NO_NUMBERS')
    if (supplier.funds < supplier.price) return refuse('NO_BALANCE')
    const id = 100_000 + activations.size
    supplier.stock--
    supplier.funds -= supplier.price
    const number = `1213555${String(1000 + activations.size)}`
    activations.set(id, { ...{ id, number, service, country, price: supplier.price, at: now().getTime() }, state: 'open', code: '' })
    return text(`ACCESS_NUMBER:${id}:${number}`)
  }
  function setStatus(one: Activation, status: string): StandInReply {
    if (one.state !== 'open') return refuse('NO_ACTIVATION')
    if (status === '1') return text('ACCESS_READY')
    if (status === '8' && !one.code) {
      if (supplier.early && now().getTime() - one.at < EARLY_CANCEL_MS) return refuse('EARLY_CANCEL_DENIED')
      giveBack(one)
      return text('ACCESS_CANCEL')
    }
    if (status !== '6' || !one.code) return refuse('BAD_STATUS')
    one.state = 'finished'
    return text('ACCESS_ACTIVATION')
  }
  function giveBack(one: Activation): void {
    one.state = 'cancelled'
    supplier.funds += one.price
  }
  function listActivations(): StandInReply {
    const open = listOpen()
    if (!open.length) return json({ status: 'error', error: 'NO_ACTIVATIONS' })
    const activeActivations = open.map(({ id, number, service, country, price, code, at }) => ({
      ...{ activationId: String(id), serviceCode: service, phoneNumber: number, activationCost: toDecimal(price), activationStatus: code ? '2' : '4' },
      ...{ smsCode: code ? [code] : null, smsText: null, activationTime: new Date(at).toISOString().slice(0, 19).replace('T', ' ') },
      ...{ countryCode: country, countryName: country, canGetAnotherSms: '1' },
    }))
    return json({ status: 'success', activeActivations })
  }
  function answer({ method, path, query }: StandInRequest): StandInReply {
    if (path !== PATH || (method !== 'GET' && method !== 'POST')) return text('Not Found', 404)
    const [action, service, country] = [query.get('action'), query.get('service') ?? '', query.get('country') ?? '']
    if (query.get('api_key') !== HANDLER_API_KEY || supplier.locked) return refuse('BAD_KEY')
    if (action === 'getBalance') return text(`ACCESS_BALANCE:${toDecimal(supplier.funds)}`)
    if (action === 'getPrices')
      return json(supplier.stock ? { [country]: { [service]: { cost: Number(supplier.price) / 1e9, count: supplier.stock } } } : { [country]: {} })
    if (action === 'getNumber') return sell(service, country)
    if (action === 'getActiveActivations') return listActivations()
    if (action !== 'setStatus' && action !== 'getStatus') return refuse('BAD_ACTION')
    const one = activations.get(Number(query.get('id')))
    if (!one) return refuse('NO_ACTIVATION')
    if (action === 'setStatus') return setStatus(one, query.get('status') ?? '')
    if (one.state !== 'open') return text('STATUS_CANCEL')
    return text(one.code ? `STATUS_OK:${one.code}` : 'STATUS_WAIT_CODE')
  }
  const byNumber = (number: string) => [...activations.values()].find((one) => `+${one.number}` === number)!
  const supplier: HandlerApi = {
    company: await startStandInServer(answer, { oracle: createHandlerApiOracle() }),
    ...{ price: 200_000_000n, stock: 100, funds: 50_000_000_000n, locked: false, early, wholeTexts: false, usesStatuses: false, refusal: undefined },
    deliver: (number, said) => {
      const one = byNumber(number)
      if (one.state === 'open') one.code = supplier.wholeTexts ? said : findCode(said)
    },
    timeOut: (number) => {
      const one = byNumber(number)
      if (one.state !== 'open') return
      if (one.code) one.state = 'finished'
      else giveBack(one)
    },
    book: () => ({
      spent: [...activations.values()].reduce((all, { state, price, code }) => (state === 'finished' || code ? all + price : all), 0n),
      open: listOpen().map(({ number }) => `+${number}`),
    }),
  }
  return supplier
}
