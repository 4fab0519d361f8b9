import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { RegistrationTools } from '../port.ts'
import { aRegistrationCompany } from './fake/index.ts'
import type { FakeBehavior } from './fake/index.ts'
import { http } from './index.ts'
import { signRegistrationRequest } from './sign.ts'

const company = await aRegistrationCompany()
afterAll(() => company.close())
const tools: RegistrationTools = { ...aSupplierTools(), fault: async () => 'none' }
const connect = (over: object = {}) =>
  http.connect({ REGISTRATION_URL: `${company.url}/`, REGISTRATION_KEY: 'mingxi', REGISTRATION_SECRET: 's'.repeat(32), ...over }, tools)
const supplier = connect()!
let keys = 0
const submitRequest = () => ({ key: `srv_1:submit${++keys}`, account: 'wang@example.com', password: 'a horse of batteries', attempt: 1 })
beforeEach(() => {
  company.mood = 'fine'
})

test('signs as documented', () => {
  const call = { method: 'POST', path: '/v1/registrations', time: '1795651200', body: '{"key":"srv_1:submit"}' }
  expect(signRegistrationRequest('s'.repeat(32), call)).toBe('1adcc6819b16e65e471e2ff198ec42588027983d6150f1a110a0e258fcbf08f2')
})

test('a key has one job, which is found, polled and cancelled; each call is idempotent', async () => {
  const call = submitRequest()
  const job = await supplier.submit(call)
  expect(job).toEqual({ ref: expect.stringMatching(/^job-/), state: 'working' })
  expect(await supplier.submit(call)).toEqual(job)
  expect(await supplier.find(call.key)).toEqual(job)
  expect(await supplier.find('never asked')).toBeUndefined()
  company.jobs.get(call.key)!.state = 'failed'
  company.jobs.get(call.key)!.reason = 'ip_limit'
  expect(await supplier.look(job.ref)).toMatchObject({ state: 'failed', reason: 'ip_limit' })
  company.jobs.get(call.key)!.reason = 'the moon'
  expect(await supplier.look(job.ref)).toMatchObject({ reason: 'other' })
  const other = await supplier.submit(submitRequest())
  expect([await supplier.cancel(other.ref), await supplier.cancel(other.ref)]).toEqual(['cancelled', 'cancelled'])
  const late = await supplier.submit(submitRequest())
  company.mood = 'late'
  expect([await supplier.cancel(late.ref), await supplier.cancel(late.ref)]).toEqual(['done', 'done'])
})

test('a definite refusal is a rejection; nothing was begun', async () => {
  company.mood = 'busy'
  const call = submitRequest()
  await expect(supplier.submit(call)).rejects.toMatchObject({ kind: 'rejected', reason: 'busy' })
  await expect(supplier.submit(call)).rejects.toMatchObject({ kind: 'rejected' })
  expect(company.jobs.has(call.key)).toBe(false)
})

test.each(['text', 'broken', 'lost', 'forged'] as FakeBehavior[])('%s: the outcome stays unknown, and the password is in no error', async (mood) => {
  company.mood = mood
  const call = submitRequest()
  const error = await supplier.submit(call).then(
    () => undefined,
    (thrown: Error) => thrown,
  )
  expect(error).toBeInstanceOf(Error)
  expect(asSupplierError(error).kind).not.toBe('rejected')
  expect(JSON.stringify([error!.message, error!.stack])).not.toContain(call.password)
  company.mood = 'fine'
  expect((await supplier.find(call.key))?.state).toBe(mood === 'lost' || mood === 'forged' ? 'working' : undefined)
})

test('a missing secret connects nothing, and a wrong one is refused', async () => {
  expect(connect({ REGISTRATION_SECRET: undefined })).toBeUndefined()
  await expect(connect({ REGISTRATION_SECRET: 'z'.repeat(32) })!.submit(submitRequest())).rejects.toThrow('not signed')
})
