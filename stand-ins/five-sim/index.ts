import { startStandInServer } from '../kit/server.ts'
import type { StandInReply, StandInRequest, StandInServer } from '../kit/server.ts'
import { createFiveSimOracle } from './oracle.ts'
import { FIVE_SIM_COUNTRIES, FIVE_SIM_ORDER_MINUTES, FIVE_SIM_PRODUCTS, FIVE_SIM_RATING, FIVE_SIM_REFUSALS } from './rules.ts'
import type { FIVE_SIM_STATUSES, FiveSimRefusal } from './rules.ts'

export const FIVE_SIM_TOKEN = 'fake-5sim-token-000000'
/** Sells the numbers at the set price; a second operator has many at three times of it. */
const OPERATOR = 'virtual4'

interface Order {
  readonly id: number
  readonly phone: string
  readonly price: bigint
  readonly country: string
  readonly product: string
  readonly createdAt: number
  status: (typeof FIVE_SIM_STATUSES)[number]
  readonly sms: { created_at: string; date: string; sender: string; text: string; code: string }[]
}

/** Amounts are billionths of its unit of money. */
export interface FiveSim {
  readonly company: StandInServer
  price: bigint
  stock: number
  funds: bigint
  /** The token is unknown to it. */
  locked: boolean
  /** Number of next requests that are above the limit per second. */
  flooded: number
  /** Refusal of all purchases, whatever their reason would be. */
  refusal: FiveSimRefusal | undefined
  deliver(number: string, text: string): void
  /** Ends an order by time. */
  timeOut(number: string): void
  /** Ends an order as the account's owner does who reports a used number on its pages. */
  ban(number: string): void
  book(): { readonly spent: bigint; readonly open: readonly string[] }
}

const toAmount = (nano: bigint) => Number(nano) / 1e9
const isOpen = ({ status }: Order) => status === 'PENDING' || status === 'RECEIVED'
const findCode = (text: string) => (/\d{3}[- ]\d{3}|\d{4,8}/.exec(text)?.[0] ?? '').replace(/\D/g, '')
const say = (refusal: FiveSimRefusal): StandInReply => ({
  status: FIVE_SIM_REFUSALS[refusal].status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: refusal,
})
const json = (value: unknown): StandInReply => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })

/**
 * 5sim (https://5sim.net/docs). Its status RECEIVED can come with the number, before any message: `sms` lists the messages, and is null in the
 * answer to a purchase.
 */
export async function startFiveSim({ now = () => new Date() } = {}): Promise<FiveSim> {
  const orders = new Map<number, Order>()
  const describe = ({ id, phone, price, product, status, sms, country, createdAt }: Order, isNew = false) => ({
    ...{ id, phone, operator: OPERATOR, product, price: toAmount(price), status },
    expires: new Date(createdAt + FIVE_SIM_ORDER_MINUTES * 60_000).toISOString(),
    sms: isNew ? null : sms,
    created_at: new Date(createdAt).toISOString(),
    ...{ forwarding: false, forwarding_number: '', country },
  })

  function buy(country: string, operator: string, product: string): StandInReply {
    if (sim.refusal) return say(sim.refusal)
    if (!FIVE_SIM_COUNTRIES.includes(country)) return say('bad country')
    if (operator !== OPERATOR) return say('bad operator')
    if (!FIVE_SIM_PRODUCTS.includes(product)) return say('no product')
    if (!sim.stock) return say('no free phones')
    if (sim.funds < sim.price) return say('not enough user balance')
    if ([...orders.values()].filter(isOpen).length >= FIVE_SIM_RATING) return say('not enough rating')
    sim.stock--
    sim.funds -= sim.price
    const order: Order = {
      ...{ id: 53_533_000 + orders.size, phone: `+1646555${1000 + orders.size}`, price: sim.price, country, product, createdAt: now().getTime() },
      ...{ status: orders.size % 2 ? 'RECEIVED' : 'PENDING', sms: [] },
    }
    orders.set(order.id, order)
    return json(describe(order, true))
  }
  function change(order: Order | undefined, act: string): StandInReply {
    if (!order) return say('order not found')
    if (act === 'check') return json(describe(order))
    if (!isOpen(order)) return say('order expired')
    if (act === 'finish') order.status = 'FINISHED'
    else if (order.sms.length) return say('order has sms')
    else giveBack(order, 'CANCELED')
    return json(describe(order))
  }
  function giveBack(order: Order, status: Order['status']): void {
    order.status = status
    sim.funds += order.price
  }
  function listOrders(query: URLSearchParams): StandInReply {
    const [limit, offset] = [Number(query.get('limit') ?? 15), Number(query.get('offset') ?? 0)]
    const all = query.get('category') === 'activation' ? [...orders.values()].map((order) => describe(order)) : []
    const list = (query.get('reverse') === 'true' ? all.toReversed() : all).slice(offset, offset + limit)
    return json({ Data: list.length ? list : null, ProductNames: [], Statuses: [], Total: all.length })
  }
  function listPrices(query: URLSearchParams): StandInReply {
    const cost = toAmount(sim.price)
    const operators = sim.stock
      ? { virtual2: { cost: cost * 3, count: 40, rate: 90 }, [OPERATOR]: { cost, count: sim.stock, rate: 51.2 } }
      : { virtual2: { cost, count: 0 } }
    return json({ [query.get('country')!]: { [query.get('product')!]: operators } })
  }
  function answer({ method, path, query, headers }: StandInRequest): StandInReply {
    if (sim.flooded > 0) {
      sim.flooded--
      return say('too many requests')
    }
    if (method !== 'GET') return say('order not found')
    if (path === '/v1/guest/prices') return listPrices(query)
    if (headers.authorization !== `Bearer ${FIVE_SIM_TOKEN}` || sim.locked) return say('unauthorized')
    if (path === '/v1/user/orders') return listOrders(query)
    if (path === '/v1/user/profile')
      return json({
        ...{
          id: 1,
          email: 'mail@example.com',
          vendor: 'demo',
          default_forwarding_number: '447350690992',
          balance: toAmount(sim.funds),
          rating: FIVE_SIM_RATING,
        },
        ...{ default_country: { name: 'england', iso: 'gb', prefix: '+44' }, default_operator: { name: '' }, frozen_balance: 0 },
      })
    const [, bought] = /^\/v1\/user\/buy\/activation\/(.*)$/.exec(path) ?? []
    if (bought !== undefined) {
      const [country = '', operator = '', product = ''] = bought.split('/')
      return country ? (operator ? buy(country, operator, product) : say('select operator')) : say('select country')
    }
    const [, act = '', id] = /^\/v1\/user\/(check|cancel|finish)\/(\d+)$/.exec(path) ?? []
    return change(orders.get(Number(id)), act)
  }
  const byNumber = (number: string) => [...orders.values()].find(({ phone }) => phone === number)!
  const sim: FiveSim = {
    company: await startStandInServer(answer, { oracle: createFiveSimOracle() }),
    ...{ price: 150_000_000n, stock: 100, funds: 50_000_000_000n, locked: false, flooded: 0, refusal: undefined },
    deliver: (number, said) => {
      const order = byNumber(number)
      if (!isOpen(order)) return
      order.status = 'RECEIVED'
      const at = new Date(now().getTime() + order.sms.length).toISOString()
      order.sms.push({ created_at: at, date: at, sender: 'OpenAI', text: said, code: findCode(said) })
    },
    timeOut: (number) => {
      const order = byNumber(number)
      if (!isOpen(order)) return
      if (order.sms.length) order.status = 'FINISHED'
      else giveBack(order, 'TIMEOUT')
    },
    ban: (number) => {
      const order = byNumber(number)
      if (isOpen(order) && !order.sms.length) giveBack(order, 'BANNED')
    },
    book: () => ({
      spent: [...orders.values()].reduce((all, { status, price, sms }) => (status === 'FINISHED' || sms.length ? all + price : all), 0n),
      open: [...orders.values()].filter(isOpen).map(({ phone }) => phone),
    }),
  }
  return sim
}
