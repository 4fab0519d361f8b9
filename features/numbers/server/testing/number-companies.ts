import { aSupplierTools } from '#platform/testing/http.ts'
import { FIVE_SIM_TOKEN, startFiveSim } from '#stand-ins/five-sim/index.ts'
import type { FiveSim } from '#stand-ins/five-sim/index.ts'
import { HANDLER_API_KEY, startHandlerApi } from '#stand-ins/handler-api/index.ts'
import type { HandlerApi } from '#stand-ins/handler-api/index.ts'
import { startTwilio } from '#stand-ins/twilio/index.ts'
import type { Twilio } from '#stand-ins/twilio/index.ts'
import { TWILIO_SID, TWILIO_TOKEN } from '#stand-ins/twilio/wire.ts'
import { numberRegistry } from '../vendors/index.ts'
import type { NumberSupplier, NumberSupplierConfig, NumberTools, RawRequest } from '../vendors/port.ts'
import type { InMemorySupplier } from './in-memory-supplier.ts'

interface CompanyOptions {
  readonly now?: () => Date
  /** Our address for webhooks. */
  readonly hook?: string
  readonly early?: boolean
}
/** The real adapter, connected to a stand-in. */
function connect(name: string, config: NumberSupplierConfig, { now = () => new Date(), hook = '' }: CompanyOptions): NumberSupplier {
  const tools: NumberTools = { ...aSupplierTools(), now, noticeUrl: () => hook }
  return numberRegistry.getVendor(name).connect(config, tools)!
}

export async function aFiveSimCompany(options: CompanyOptions = {}): Promise<InMemorySupplier & FiveSim> {
  const sim = await startFiveSim(options)
  const config = { NUMBERS_5SIM_TOKEN: FIVE_SIM_TOKEN, NUMBERS_5SIM_URL: sim.company.url, NUMBERS_5SIM_RATE: '1' }
  return Object.assign(sim, { supplier: connect('5sim', config, options) })
}

export async function aHandlerApiCompany(options: CompanyOptions = {}): Promise<InMemorySupplier & HandlerApi> {
  const company = await startHandlerApi(options)
  const url = `${company.company.url}/stubs/handler_api.php`
  const config = { NUMBERS_HANDLER_API_URL: url, NUMBERS_HANDLER_API_KEY: HANDLER_API_KEY, NUMBERS_HANDLER_API_RATE: '1' }
  return Object.assign(company, { supplier: connect('handler-api', config, options) })
}

export interface TwilioCompany extends InMemorySupplier, Omit<Twilio, 'price' | 'stock' | 'funds' | 'locked'> {
  readonly hook: string
  /** Webhooks as our server receives them. */
  readonly notices: () => readonly RawRequest[]
}
export async function aTwilioCompany({ hook = 'https://mingxi.test/notify/number/twilio', ...options }: CompanyOptions = {}): Promise<TwilioCompany> {
  const twilio = await startTwilio(options)
  const config = { NUMBERS_TWILIO_SID: TWILIO_SID, NUMBERS_TWILIO_TOKEN: TWILIO_TOKEN, NUMBERS_TWILIO_URL: twilio.company.url, NUMBERS_TWILIO_COST: '1.15' }
  const toRequest = ({ headers, body }: Twilio['webhooks'][number]): RawRequest => ({ params: {}, query: {}, headers, body, ip: '127.0.0.1', requestId: 'req' })
  return Object.assign(twilio, {
    ...{ hook, timeOut: () => {}, notices: () => twilio.webhooks.map(toRequest) },
    supplier: connect('twilio', config, { ...options, hook }),
  })
}
