import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { aSupplierTools } from '#platform/testing/http.ts'
import type { RegistrationTools } from '../port.ts'
import { startRegistrationSupplier } from '#stand-ins/registration-supplier/index.ts'
import { REGISTRATION_SUPPLIER_RULES } from '#stand-ins/registration-supplier/rules.ts'
import { REGISTRATION_REASONS } from '../port.ts'
import { http } from './index.ts'
import { signRegistrationRequest } from './sign.ts'

const supplierOfJobs = await startRegistrationSupplier({ secret: 's'.repeat(32), key: 'mingxi' })
const { company, jobs } = supplierOfJobs
afterAll(() => company.close())
const tools: RegistrationTools = { ...aSupplierTools(), fault: async () => 'none' }
const connect = (over: object = {}) =>
  http.connect({ REGISTRATION_URL: `${company.url}/`, REGISTRATION_KEY: 'mingxi', REGISTRATION_SECRET: 's'.repeat(32), ...over }, tools)
const supplier = connect()!
let keys = 0
const submitRequest = () => ({ key: `srv_1:submit${++keys}`, account: 'wang@example.com', password: 'a horse of batteries', attempt: 1 })
beforeEach(() => {
  supplierOfJobs.mood = 'fine'
  company.behave()
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
  jobs.get(call.key)!.state = 'failed'
  jobs.get(call.key)!.reason = 'ip_limit'
  expect(await supplier.look(job.ref)).toMatchObject({ state: 'failed', reason: 'ip_limit' })
  jobs.get(call.key)!.reason = 'the moon'
  expect(await supplier.look(job.ref)).toMatchObject({ reason: 'other' })
  const other = await supplier.submit(submitRequest())
  expect([await supplier.cancel(other.ref), await supplier.cancel(other.ref)]).toEqual(['cancelled', 'cancelled'])
  const late = await supplier.submit(submitRequest())
  supplierOfJobs.mood = 'late'
  expect([await supplier.cancel(late.ref), await supplier.cancel(late.ref)]).toEqual(['done', 'done'])
})

test('a definite refusal is a rejection; nothing was begun', async () => {
  supplierOfJobs.mood = 'busy'
  const call = submitRequest()
  await expect(supplier.submit(call)).rejects.toMatchObject({ kind: 'rejected', reason: 'busy' })
  await expect(supplier.submit(call)).rejects.toMatchObject({ kind: 'rejected' })
  expect(jobs.has(call.key)).toBe(false)
})

test.each(['html', 'error-before', 'error-after', 'reset-after', 'bad-signature'] as const)(
  '%s: the outcome stays unknown, and the password is in no error',
  async (fault) => {
    company.misbehave(fault)
    const call = submitRequest()
    const error = await supplier.submit(call).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).toBeInstanceOf(Error)
    expect(asSupplierError(error).kind).not.toBe('rejected')
    expect(JSON.stringify([error!.message, error!.stack])).not.toContain(call.password)
    expect((await supplier.find(call.key))?.state).toBe(fault === 'error-before' ? undefined : 'working')
  },
)

test('the reasons of the interface are all known', () => {
  expect(REGISTRATION_SUPPLIER_RULES.reasons.filter((reason) => !REGISTRATION_REASONS.includes(reason))).toEqual([])
})

test('a missing secret connects nothing, and a wrong one is refused', async () => {
  expect(connect({ REGISTRATION_SECRET: undefined })).toBeUndefined()
  await expect(connect({ REGISTRATION_SECRET: 'z'.repeat(32) })!.submit(submitRequest())).rejects.toThrow('not signed')
})
