import { formatUsd } from '#platform/shared/money.ts'
import { startStandInServer } from '#stand-ins/kit/server.ts'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { InMemorySupplier } from '../../../testing/in-memory-supplier.ts'
import { findMessageCode } from '../../port.ts'
import { handlerApi } from '../index.ts'

const KEY = 'fake-handler-key'
interface Activation {
  readonly id: number
  readonly number: string
  readonly price: bigint
  readonly at: number
  state: 'open' | 'cancelled' | 'finished'
  code: string
}

/**
 * A fake supplier as sms-activate documents it: a cancelled number without a code is refunded, one with a code is charged. `early`: no
 * cancelling in the first two minutes.
 */
export async function aHandlerApiCompany({ now = () => new Date(), early = false } = {}): Promise<InMemorySupplier & { early: boolean; wholeTexts: boolean }> {
  const activations = new Map<number, Activation>()
  const text = (body: string, status = 200): StandInReply => ({ status, body })
  const json = (value: unknown): StandInReply => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })

  const setStatus = (one: Activation, status: string): StandInReply => {
    if (one.state !== 'open') return text('NO_ACTIVATION')
    if (status === '8') {
      if (one.code) return text('BAD_STATUS')
      if (played.early && now().getTime() - one.at < 120_000) return text('EARLY_CANCEL_DENIED')
      one.state = 'cancelled'
      played.funds += one.price
      return text('ACCESS_CANCEL')
    }
    if (status !== '6') return text('BAD_STATUS')
    if (!one.code) return text('BAD_STATUS')
    one.state = 'finished'
    return text('ACCESS_ACTIVATION')
  }
  const answer = ({ query }: StandInRequest): StandInReply => {
    const action = query.get('action')
    if (query.get('api_key') !== KEY || played.locked) return text('BAD_KEY')
    if (action === 'getBalance') return text(`ACCESS_BALANCE:${formatUsd(played.funds)}`)
    if (action === 'getPrices') {
      const [country, service] = [query.get('country')!, query.get('service')!]
      return json(played.stock ? { [country]: { [service]: { cost: Number(formatUsd(played.price)), count: played.stock } } } : { [country]: {} })
    }
    if (action === 'getNumber') {
      if (!played.stock) return text('NO_NUMBERS')
      if (played.funds < played.price) return text('NO_BALANCE')
      const id = 100_000 + activations.size
      played.stock--
      played.funds -= played.price
      const number = `1213555${String(1000 + activations.size)}`
      activations.set(id, { id, number, price: played.price, at: now().getTime(), state: 'open', code: '' })
      return text(`ACCESS_NUMBER:${id}:${number}`)
    }
    if (action === 'getActiveActivations') {
      const open = [...activations.values()].filter(({ state }) => state === 'open')
      if (!open.length) return json({ status: 'error', error: 'NO_ACTIVATIONS' })
      return json({ status: 'success', activeActivations: open.map(({ id, number }) => ({ activationId: String(id), phoneNumber: number })) })
    }
    const one = activations.get(Number(query.get('id')))
    if (!one) return text('NO_ACTIVATION')
    if (action === 'setStatus') return setStatus(one, query.get('status') ?? '')
    if (action !== 'getStatus') return text('BAD_ACTION')
    if (one.state !== 'open') return text('STATUS_CANCEL')
    return text(one.code ? `STATUS_OK:${one.code}` : 'STATUS_WAIT_CODE')
  }
  const company = await startStandInServer(answer)
  const byNumber = (number: string) => [...activations.values()].find((one) => `+${one.number}` === number)!
  const played = {
    company,
    early,
    wholeTexts: false,
    price: 200_000_000n,
    stock: 100,
    funds: 50_000_000_000n,
    locked: false,
    supplier: handlerApi.connect(
      { NUMBERS_HANDLER_API_URL: `${company.url}/stubs/handler_api.php`, NUMBERS_HANDLER_API_KEY: KEY, NUMBERS_HANDLER_API_RATE: '1' },
      { ...aSupplierTools(), now, noticeUrl: () => '' },
    )!,
    deliver: (number: string, said: string) => {
      const one = byNumber(number)
      if (one.state === 'open') one.code = played.wholeTexts ? said : findMessageCode(said)
    },
    timeOut: (number: string) => {
      const one = byNumber(number)
      if (one.state !== 'open') return
      one.state = one.code ? 'finished' : 'cancelled'
      if (!one.code) played.funds += one.price
    },
    book: () => ({
      spent: [...activations.values()].reduce((all, { state, price, code }) => (state === 'finished' || code ? all + price : all), 0n),
      open: [...activations.values()].filter(({ state }) => state === 'open').map(({ number }) => `+${number}`),
    }),
  }
  return played
}
