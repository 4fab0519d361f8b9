import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startKasm } from '#stand-ins/kasm/index.ts'
import { kasm } from './index.ts'
import { NO_PLACE_REASON } from '../port.ts'
import type { RemoteSupplier } from '../port.ts'

const fake = await startKasm()
afterAll(() => fake.close())
beforeEach(() => {
  fake.sessions.clear()
  fake.users.clear()
  fake.fault = 'none'
  fake.company.behave()
})
const connect = (api: string, more: object = {}): RemoteSupplier =>
  kasm.connect({ KASM_URL: `${fake.url}/`, KASM_KEY: 'key', KASM_SECRET: 'secret', KASM_IMAGE: 'img', KASM_API: api, ...more }, { fetch })!
const KEY = 'srv_0000000000000001:start'
const live = () => fake.live().map((id) => fake.sessions.get(id)!)
const refused = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => `${asSupplierError(error).kind} ${asSupplierError(error).reason}`,
  )

test('without credentials the supplier is not connected', () => {
  expect(connect('session', { KASM_SECRET: undefined })).toBeUndefined()
})

describe.each(['public', 'session'])('kasm, the %s API', (api) => {
  const supplier = connect(api)

  test('a session starts once for its key, is entered, kept alive and ended, idempotently', async () => {
    const { ref } = await supplier.start(KEY)
    expect(await supplier.start(KEY)).toEqual({ ref })
    expect(live()).toHaveLength(1)
    expect(await supplier.look(ref)).toBe('starting')
    fake.run()
    expect(await supplier.look(ref)).toBe('running')
    const url = await supplier.enter(KEY, ref)
    expect(url.startsWith(`${fake.url}/#/connect/`)).toBe(true)
    expect(url).toContain(live()[0]!.id)
    expect(live()).toHaveLength(1)
    await supplier.keepAlive(ref)
    expect(live()[0]!.keptAlive).toBe(1)
    for (let twice = 0; twice < 2; twice++) await supplier.end(KEY, ref)
    expect(await supplier.look(ref)).toBe('gone')
    expect(live()).toEqual([])
    await supplier.keepAlive(ref)
    fake.run()
    for (let twice = 0; twice < 2; twice++) await supplier.end(KEY, ref)
    expect(await supplier.look(ref)).toBe('gone')
    await supplier.keepAlive(ref)
  })

  test('a session made by a call without a response is found, and no second one is made', async () => {
    fake.loseStart()
    expect(await refused(supplier.start(KEY))).toMatch(/^unknown/)
    expect(live()).toHaveLength(1)
    const found = await supplier.find(KEY)
    expect(live()).toHaveLength(1)
    expect(found?.ref).toContain(live()[0]!.id)
  })

  test('a definite refusal is a rejection, a full supplier is retryable, anything else is no rejection', async () => {
    fake.fault = 'full'
    expect(await refused(supplier.start(KEY))).toBe(`retryable ${NO_PLACE_REASON}`)
    expect([await supplier.find(KEY), live()]).toEqual([undefined, []])
    fake.fault = 'stranger'
    expect(await refused(supplier.start('srv_2'))).toMatch(/^rejected (our_account|refused)$/)
    for (const fault of ['down', 'text'] as const) {
      fake.fault = fault
      expect([fault, await refused(supplier.start('srv_3'))]).toEqual([fault, expect.stringMatching(/^(unknown|retryable) /)])
    }
  })
})

test('more anonymous users than its limit are tried again later; an image that it does not have is a refusal', async () => {
  fake.fault = 'limited'
  expect(await refused(connect('session').start('srv_4'))).toBe('retryable too_many')
  fake.fault = 'none'
  for (const api of ['session', 'public']) expect(await refused(connect(api, { KASM_IMAGE: 'other' }).start('srv_5'))).toBe('rejected refused')
  expect(live()).toEqual([])
})
