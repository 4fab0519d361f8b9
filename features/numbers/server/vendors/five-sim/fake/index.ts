import { formatUsd } from '#platform/shared/money.ts'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { InMemorySupplier } from '../../../testing/in-memory-supplier.ts'
import { findMessageCode } from '../../port.ts'
import { fiveSim } from '../index.ts'

const TOKEN = 'fake-5sim-token-000000'
interface Order {
  readonly id: number
  readonly phone: string
  readonly price: bigint
  status: 'PENDING' | 'RECEIVED' | 'CANCELED' | 'TIMEOUT' | 'FINISHED'
  readonly sms: { created_at: string; date: string; sender: string; text: string; code: string }[]
}

/** A fake 5sim as documented. Status RECEIVED comes with the number, before any message: `sms` lists the messages. */
export async function aFiveSimCompany({ now = () => new Date() } = {}): Promise<InMemorySupplier> {
  const orders = new Map<number, Order>()
  const text = (status: number, body: string): StandInReply => ({ status, body })
  const json = (value: unknown): StandInReply => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
  const wire = ({ price, ...one }: Order) => ({
    ...one,
    price: Number(formatUsd(price)),
    operator: 'virtual4',
    product: 'openai',
    country: 'usa',
    expires: now().toISOString(),
    created_at: now().toISOString(),
  })
  const isOpen = ({ status }: Order) => status === 'PENDING' || status === 'RECEIVED'

  const change = (one: Order | undefined, act: string): StandInReply => {
    if (!one) return text(404, 'order not found')
    if (act === 'check') return json(wire(one))
    if (!isOpen(one)) return text(400, 'order expired')
    if (act === 'cancel') {
      if (one.sms.length) return text(400, 'order has sms')
      one.status = 'CANCELED'
      played.funds += one.price
      return json(wire(one))
    }
    one.status = 'FINISHED'
    return json(wire(one))
  }
  const answer = ({ path, query, headers }: StandInRequest): StandInReply => {
    if (path === '/v1/guest/prices') {
      const cost = Number(formatUsd(played.price))
      const operators = played.stock
        ? { virtual2: { cost: cost * 3, count: 40, rate: 90 }, virtual4: { cost, count: played.stock, rate: 51.2 } }
        : { virtual2: { cost, count: 0 } }
      return json({ [query.get('country')!]: { [query.get('product')!]: operators } })
    }
    if (headers.authorization !== `Bearer ${TOKEN}` || played.locked) return text(401, 'unauthorized')
    if (path === '/v1/user/profile') return json({ id: 1, balance: Number(formatUsd(played.funds)), rating: 96 })
    if (path === '/v1/user/orders') {
      const list = [...orders.values()].map(wire)
      return json({ Data: list.length ? list : null, ProductNames: [], Statuses: [], Total: list.length })
    }
    if (path.startsWith('/v1/user/buy/activation/')) {
      if (!played.stock) return text(200, 'no free phones')
      if (played.funds < played.price) return text(400, 'not enough user balance')
      if (!path.endsWith('/usa/virtual4/openai')) return text(400, 'bad operator')
      played.stock--
      played.funds -= played.price
      const id = 53_533_000 + orders.size
      const order: Order = { id, phone: `+1646555${1000 + orders.size}`, price: played.price, status: orders.size % 2 ? 'RECEIVED' : 'PENDING', sms: [] }
      orders.set(id, order)
      return json(wire(order))
    }
    const [, act = '', id] = /^\/v1\/user\/(check|cancel|finish)\/(\d+)$/.exec(path) ?? []
    return id ? change(orders.get(Number(id)), act) : text(404, 'not found')
  }
  const company = await startStandInServer(answer)
  const byNumber = (number: string) => [...orders.values()].find(({ phone }) => phone === number)!
  const played = {
    company,
    price: 150_000_000n,
    stock: 100,
    funds: 50_000_000_000n,
    locked: false,
    supplier: fiveSim.connect(
      { NUMBERS_5SIM_TOKEN: TOKEN, NUMBERS_5SIM_URL: company.url, NUMBERS_5SIM_RATE: '1' },
      { ...aSupplierTools(), now, noticeUrl: () => '' },
    )!,
    deliver: (number: string, said: string) => {
      const one = byNumber(number)
      if (!isOpen(one)) return
      one.status = 'RECEIVED'
      const at = new Date(now().getTime() + one.sms.length).toISOString()
      one.sms.push({ created_at: at, date: at, sender: 'OpenAI', text: said, code: findMessageCode(said) })
    },
    timeOut: (number: string) => {
      const one = byNumber(number)
      if (!isOpen(one)) return
      one.status = one.sms.length ? 'FINISHED' : 'TIMEOUT'
      if (!one.sms.length) played.funds += one.price
    },
    book: () => ({
      spent: [...orders.values()].reduce((all, { status, price, sms }) => (status === 'FINISHED' || sms.length ? all + price : all), 0n),
      open: [...orders.values()].filter(isOpen).map(({ phone }) => phone),
    }),
  }
  return played
}
