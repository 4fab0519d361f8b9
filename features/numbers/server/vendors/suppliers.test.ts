import { isRejected } from '#platform/shared/suppliers/supplier-error.ts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { aFiveSimCompany, aHandlerApiCompany, aTwilioCompany } from '../testing/number-companies.ts'
import type { RentCall } from './port.ts'
import { createId } from '#platform/shared/ids.ts'
import { FIVE_SIM_REFUSALS } from '#stand-ins/five-sim/rules.ts'
import type { FiveSimRefusal } from '#stand-ins/five-sim/rules.ts'
import { HANDLER_API_REFUSALS } from '#stand-ins/handler-api/rules.ts'
import type { HandlerApiRefusal } from '#stand-ins/handler-api/rules.ts'
import { vendorDocs } from '#stand-ins/oracles/published.ts'
import { createTwilioOracle } from '#stand-ins/twilio/oracle.ts'
import { TWILIO_RULES } from '#stand-ins/twilio/rules.ts'
import type { InMemorySupplier } from '../testing/in-memory-supplier.ts'

const handler = await aHandlerApiCompany()
const five = await aFiveSimCompany()
const twilio = await aTwilioCompany()
const all: readonly (readonly [string, InMemorySupplier])[] = [
  ['handler_api', handler],
  ['5sim', five],
  ['twilio', twilio],
]
const since = new Date(Date.now() - 60_000)
const CODE = 'Your OpenAI code is: 739204. Don’t share it.'
let calls = 0
const rentRequest = (over: Partial<RentCall> = {}): RentCall => ({ key: `try_${++calls}`, service: 'openai', country: 'US', maxCost: 2_000_000_000n, ...over })
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (isRejected(error) ? error.reason : `left open: ${(error as Error).message}`),
  )

beforeEach(() => {
  Object.assign(handler, { early: false, usesStatuses: false, refusal: undefined })
  five.refusal = undefined
  for (const [, one] of all) {
    one.company.behave()
    Object.assign(one, { stock: 100, funds: 50_000_000_000n, locked: false })
  }
})
afterAll(() => Promise.all(all.map(([, one]) => one.company.close())))

it.skipIf(!vendorDocs)('Twilio is compared with its OpenAPI description (VENDOR_DOCS)', () => {
  expect(createTwilioOracle()).toBeDefined()
})

describe('rules of the companies', () => {
  it('the name of a rental fits into a number’s name at Twilio', () => {
    expect(createId('try').length).toBeLessThanOrEqual(TWILIO_RULES.friendlyName.most)
  })
  it.each(Object.keys(FIVE_SIM_REFUSALS) as FiveSimRefusal[])('5sim’s “%s” to a purchase is a refusal with a reason', async (word) => {
    five.refusal = word
    const outcome = await refused(five.supplier.rent(rentRequest()))
    expect(outcome).toMatch(
      FIVE_SIM_REFUSALS[word].when.startsWith('buy') || word === 'unauthorized' ? /^(no_numbers|no_balance|not_sold|account)$/ : /^left open/,
    )
  })
  it.each(Object.keys(HANDLER_API_REFUSALS) as HandlerApiRefusal[])('handler_api’s %s to a purchase is a refusal with a reason', async (word) => {
    for (const usesStatuses of [false, true]) {
      Object.assign(handler, { refusal: word, usesStatuses })
      const outcome = await refused(handler.supplier.rent(rentRequest()))
      expect(outcome).toMatch(/getNumber|key/.test(HANDLER_API_REFUSALS[word].when) ? /^(no_numbers|no_balance|not_sold|account)$/ : /^left open/)
    }
  })
})

describe.each(all)('%s', (name, played) => {
  const { supplier } = played

  it('rents, reads the code and keeps the number that had one; our cost is the cost in its book', async () => {
    const before = played.book().spent
    const rented = await supplier.rent(rentRequest())
    expect(rented).toMatchObject({ number: expect.stringMatching(/^\+1\d{10}$/), cost: played.price })
    expect(await supplier.open()).toContainEqual({ ref: rented.ref, number: rented.number })
    expect(await supplier.look({ ...rented, since })).toEqual({ state: 'open', messages: [] })
    played.deliver(rented.number, CODE)
    const seen = await supplier.look({ ...rented, since })
    expect(seen.messages.map(({ code }) => code)).toEqual(['739204'])
    // A second poll returns the same message
    expect((await supplier.look({ ...rented, since })).messages).toEqual(seen.messages)
    await supplier.finish(rented)
    await supplier.finish(rented)
    expect(await supplier.open()).toEqual([])
    expect(played.book().spent - before).toBe(rented.cost)
  })

  it('gives back a number without a message, idempotently', async () => {
    const funds = played.funds
    const rented = await supplier.rent(rentRequest())
    expect(await supplier.cancel(rented)).toBe('cancelled')
    expect(await supplier.cancel(rented)).toBe('cancelled')
    expect(await supplier.open()).toEqual([])
    expect(played.funds).toBe(name === 'twilio' ? funds - rented.cost : funds)
  })

  it('maps each refusal to a reason, and rents nothing', async () => {
    expect(await refused(supplier.rent(rentRequest({ maxCost: 10_000_000n })))).toBe('too_dear')
    played.funds = 0n
    expect(await refused(supplier.rent(rentRequest()))).toBe('no_balance')
    played.funds = 50_000_000_000n
    played.stock = 0
    expect(await refused(supplier.rent(rentRequest()))).toBe('no_numbers')
    expect(await supplier.offer(rentRequest())).toBeUndefined()
    played.stock = 1
    played.locked = true
    expect(await refused(supplier.rent(rentRequest()))).toBe('account')
    played.locked = false
    expect(await supplier.open()).toEqual([])
  })

  it.each(['reset-before', 'reset-after', 'error-before', 'error-after', 'html', 'empty', 'reset-in-body'] as const)(
    '%s while renting leaves the outcome open, and the rented number is found',
    async (fault) => {
      // The stock query succeeds; only the rental fails
      played.company.misbehave(fault, 1, { 'handler_api': /getNumber/, '5sim': /buy/, 'twilio': /IncomingPhoneNumbers/ }[name])
      expect(await refused(supplier.rent(rentRequest()))).toMatch(/^left open/)
      played.company.behave()
      const left = await supplier.open()
      expect(left.length).toBe(played.book().open.length)
      for (const one of left) expect(await supplier.cancel(one)).toBe('cancelled')
      expect(played.book().open).toEqual([])
    },
  )

  it('never takes an invalid response for a code, a cancellation or an empty list', async () => {
    const rented = await supplier.rent(rentRequest())
    for (const fault of ['html', 'empty', 'error-after', 'reset-in-body'] as const) {
      for (const work of [() => supplier.look({ ...rented, since }), () => supplier.open(), () => supplier.balance()]) {
        played.company.misbehave(fault)
        await expect(work(), fault).rejects.toThrow()
        played.company.behave()
      }
    }
    // The company cancelled and its response is lost: the call throws, or retries and succeeds
    played.company.misbehave('html')
    expect(['thrown', 'cancelled']).toContain(await supplier.cancel(rented).catch(() => 'thrown'))
    played.company.behave()
    expect(await supplier.cancel(rented)).toBe('cancelled')
  })

  it('errors carry neither key nor address', async () => {
    played.company.misbehave('reset-before')
    const error = (await supplier.balance().catch((one: unknown) => one)) as Error
    expect(`${error.message} ${error.stack}`).not.toMatch(/fake-|api_key|Bearer|Basic/)
  })

  it('reads its balance in dollars', async () => {
    expect(await supplier.balance()).toBe(50_000_000_000n)
  })
})

describe('handler_api alone', () => {
  const { supplier } = handler
  it('refuses to cancel early, and cannot cancel a number that had a code', async () => {
    handler.early = true
    const rented = await supplier.rent(rentRequest())
    expect(await supplier.cancel(rented)).toBe('too_early')
    handler.deliver(rented.number, CODE)
    handler.early = false
    expect(await supplier.cancel(rented)).toBe('received')
    await supplier.finish(rented)
  })

  it('reads a whole text where the supplier sends one, and a code of its own form', async () => {
    handler.wholeTexts = true
    const rented = await supplier.rent(rentRequest())
    handler.deliver(rented.number, 'G-482913 is your Google verification code.')
    handler.wholeTexts = false
    expect((await supplier.look({ ...rented, since })).messages).toMatchObject([{ code: '482913', text: 'G-482913 is your Google verification code.' }])
    await supplier.finish(rented)
  })

  it('reads the words of the protocol whatever HTTP status comes with them', async () => {
    handler.usesStatuses = true
    handler.early = true
    const rented = await supplier.rent(rentRequest())
    expect(await supplier.cancel(rented)).toBe('too_early')
    handler.early = false
    handler.deliver(rented.number, CODE)
    expect(await supplier.cancel(rented)).toBe('received')
    await supplier.finish(rented)
    await supplier.finish(rented)
    expect(await supplier.cancel(rented)).toBe('cancelled')
    expect(await supplier.look({ ref: '999', number: rented.number, since })).toEqual({ state: 'gone', messages: [] })
    handler.stock = 0
    expect(await refused(supplier.rent(rentRequest()))).toBe('no_numbers')
  })

  it('pays back a number whose time is over', async () => {
    const funds = handler.funds
    const rented = await supplier.rent(rentRequest())
    handler.timeOut(rented.number)
    expect(await supplier.look({ ...rented, since })).toEqual({ state: 'gone', messages: [] })
    expect(await supplier.cancel(rented)).toBe('cancelled')
    expect(handler.funds).toBe(funds)
  })
})

describe('5sim alone', () => {
  const { supplier } = five
  it('RECEIVED without a message still waits; two messages are two', async () => {
    const rented = [await supplier.rent(rentRequest()), await supplier.rent(rentRequest())]
    for (const one of rented) expect(await supplier.look({ ...one, since })).toEqual({ state: 'open', messages: [] })
    const [one, other] = rented as [(typeof rented)[0], (typeof rented)[0]]
    five.deliver(one.number, CODE)
    five.deliver(one.number, CODE)
    expect((await supplier.look({ ...one, since })).messages.map(({ key }) => key)).toHaveLength(2)
    expect(await supplier.cancel(one)).toBe('received')
    await supplier.finish(one)
    five.timeOut(other.number)
    expect(await supplier.look({ ...other, since })).toEqual({ state: 'gone', messages: [] })
    expect(await supplier.cancel(other)).toBe('cancelled')
  })

  it('a banned order is gone; a request above the limit per second is retried later', async () => {
    const funds = five.funds
    const rented = await supplier.rent(rentRequest())
    five.ban(rented.number)
    expect(await supplier.look({ ...rented, since })).toEqual({ state: 'gone', messages: [] })
    expect([await supplier.cancel(rented), five.funds]).toEqual(['cancelled', funds])
    five.flooded = 1
    await expect(supplier.balance()).rejects.toMatchObject({ kind: 'retryable' })
  })

  it('finds all open orders however many there are', async () => {
    const rented = []
    for (let n = 0; n < 17; n++) rented.push(await supplier.rent(rentRequest()))
    expect(await supplier.open()).toHaveLength(17)
    for (const one of rented) await supplier.cancel(one)
  })
})

describe('twilio alone', () => {
  const { supplier } = twilio
  it('takes a message only under its signature, over the whole address and body', async () => {
    const rented = await supplier.rent(rentRequest())
    twilio.deliver(rented.number, CODE)
    const notice = twilio.notices().at(-1)
    expect(supplier.readNotice!(notice!, twilio.hook)).toMatchObject({ number: rented.number, message: { code: '739204' } })
    expect(supplier.readNotice!(notice!, 'https://elsewhere.test/')).toBeUndefined()
    expect(supplier.readNotice!({ ...notice!, body: Buffer.from(notice!.body.toString().replace('739204', '111111')) }, twilio.hook)).toBeUndefined()
    expect(supplier.readNotice!({ ...notice!, headers: {} }, twilio.hook)).toBeUndefined()
    await supplier.cancel(rented)
  })

  it('reads a list of several pages', async () => {
    const rented = [await supplier.rent(rentRequest()), await supplier.rent(rentRequest()), await supplier.rent(rentRequest())]
    twilio.maxPage = 2
    expect(await supplier.open()).toEqual(expect.arrayContaining(rented.map(({ ref, number }) => ({ ref, number }))))
    twilio.maxPage = 1000
    for (const one of rented) await supplier.cancel(one)
  })

  it('ignores messages that came to the number before it was rented', async () => {
    const rented = await supplier.rent(rentRequest())
    twilio.deliver(rented.number, CODE)
    expect((await supplier.look({ ...rented, since: new Date(Date.now() + 60_000) })).messages).toEqual([])
    await supplier.cancel(rented)
  })
})
