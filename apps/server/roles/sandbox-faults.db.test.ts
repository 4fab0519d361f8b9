import { expect, test } from 'vitest'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import { useTestDb } from '#platform/testing/db.ts'
import { createTestApp } from '#platform/testing/http.ts'
import { features } from '../features.ts'
import { mountSandbox } from './sandbox.ts'

const db = await useTestDb()
const { app, deps } = createTestApp({ features: [], db })
await mountSandbox(app, deps, features)

const control = async (method: 'GET' | 'POST', wish?: object): Promise<Record<string, any>> => {
  const reply = await app.inject({ method, url: '/sandbox/faults', ...(wish ? { payload: wish } : {}) })
  return { status: reply.statusCode, ...reply.json<Record<string, any>>() }
}
const book: string[] = []
const port = { port: 'numbers', operations: { rent: 'write', look: 'read' }, vendors: ['sandbox'] } as const
const local = (text: string) => text.toUpperCase()
const supplier = withFaults(
  port,
  {
    rent: async (call: { key: string }) => {
      book.push(call.key)
      return { ref: call.key }
    },
    look: async (ref: string) => ref,
    local,
  },
  () => db,
)
const rent = (key: string) =>
  supplier.rent({ key }).then(
    () => 'done',
    (error: unknown) => `${asSupplierError(error).kind} ${asSupplierError(error).reason}`,
  )

test('every port of the product is listed with its operations, and what is no port or operation is refused by name', async () => {
  const { ports } = (await control('GET')) as { ports: { port: string }[] }
  expect(ports.map(({ port: name }) => name)).toEqual(expect.arrayContaining(features.flatMap(({ suppliers = [] }) => suppliers.map((one) => one.port))))
  expect(ports.length).toBeGreaterThanOrEqual(15)
  expect(await control('POST', { port: 'number', fault: 'reject' })).toMatchObject({ status: 400, error: expect.stringContaining('no port number') })
  expect(await control('POST', { port: 'numbers', operation: 'buy', fault: 'reject' })).toMatchObject({ status: 400, error: expect.stringContaining('rent') })
  expect(await control('POST', { port: 'numbers', fault: 'explode' })).toMatchObject({ status: 400 })
  expect((await control('GET'))['planted']).toEqual([])
})

test('reject, fail and stall have no effect, late has it; each occurs as often as planted, then the supplier recovers', async () => {
  for (const [fault, outcome, isDone] of [
    ['reject', 'rejected no_numbers', false],
    ['fail', 'retryable supplier_fault', false],
    ['stall', 'unknown no_answer', false],
    ['late', 'unknown no_answer', true],
  ] as const) {
    expect(await control('POST', { port: 'numbers', operation: 'rent', fault, reason: 'no_numbers' })).toMatchObject({ status: 200, ok: true })
    expect([await rent(fault), book.includes(fault)]).toEqual([outcome, isDone])
    expect(await rent(`${fault}-again`)).toBe('done')
  }
})

test('a fault can hit one call alone, reads alone, or last until it is cleared, and never hits local methods', async () => {
  await control('POST', { port: 'numbers', fault: 'reject', onlyFor: 'anna', times: null })
  expect([await rent('bert'), await rent('anna-1'), await rent('anna-2')]).toEqual(['done', 'rejected refused', 'rejected refused'])
  await control('POST', { port: 'numbers', operation: 'look', fault: 'stall', times: 2 })
  expect(await rent('carl')).toBe('done')
  await expect(supplier.look('x')).rejects.toMatchObject({ kind: 'unknown' })
  expect((await control('GET'))['planted']).toMatchObject([
    { onlyFor: 'anna', times: null },
    { operation: 'look', times: 1 },
  ])
  expect(supplier.local('a')).toBe('A')
  await control('POST', { port: 'numbers', fault: 'none' })
  expect([(await control('GET'))['planted'], await rent('anna-3')]).toEqual([[], 'done'])
})

test('a call with self-referencing tools, dates and bytes passes unchanged', async () => {
  const tools = { now: () => new Date(), self: undefined as unknown }
  tools.self = tools
  const channel = withFaults(port, { look: async (_tools: object, call: { minor: bigint; at: Date; body: Buffer }) => call.minor }, () => db)
  expect(await channel.look(tools, { minor: 5n, at: new Date(), body: Buffer.from('x') })).toBe(5n)
})

test('of many concurrent calls exactly as many fail as were planted', async () => {
  await control('POST', { port: 'numbers', fault: 'fail', times: 3 })
  const ends = await Promise.all(Array.from({ length: 12 }, (_, at) => rent(`many-${at}`)))
  expect(ends.filter((end) => end !== 'done')).toHaveLength(3)
})
