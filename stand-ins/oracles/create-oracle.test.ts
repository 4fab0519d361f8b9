import { afterAll, describe, expect, test } from 'vitest'
import type { StandInRequest } from '../kit/server.ts'
import { createOracle, parseForm } from './create-oracle.ts'
import type { OracleOptions } from './create-oracle.ts'
import { readPublished, toJsonSchema } from './published.ts'
import { readSdkSchemas } from './sdk-schemas.ts'

// Made-up vendors do not belong in the table of the run.
const { ORACLE_LOG } = process.env
delete process.env['ORACLE_LOG']
afterAll(() => void (ORACLE_LOG && (process.env['ORACLE_LOG'] = ORACLE_LOG)))

const request = (method: string, path: string, body: unknown): StandInRequest => ({
  ...{ method, path, url: path, headers: {}, fault: undefined, bytes: Buffer.alloc(0) },
  query: new URLSearchParams(),
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const card = { type: 'object', properties: { token: { type: 'string' }, limit: { type: 'number' } }, required: ['token'], additionalProperties: false }
const part = {
  anyOf: [
    { type: 'object', properties: { type: { const: 'text' }, text: { type: 'string' } }, required: ['type', 'text'], additionalProperties: false },
    { type: 'object', properties: { type: { const: 'image' }, url: { type: 'string' } }, required: ['type', 'url'], additionalProperties: false },
  ],
}
const create = (over: Partial<OracleOptions> = {}) =>
  createOracle({
    vendor: 'acme',
    schemas: { card, part },
    endpoints: { 'POST /cards': { request: 'card', reply: 'card' }, 'GET /cards/{card}': { reply: 'card' } },
    ...over,
  })
const ok = { status: 200, body: '{"token":"a"}' }
const told = (oracle: ReturnType<typeof create>) => {
  try {
    return void oracle.report()
  } catch (error) {
    return (error as Error).message.split('\n  ').slice(1)
  }
}

describe('an oracle', () => {
  test('accepts what follows the interface', () => {
    const oracle = create()
    oracle.check(request('POST', '/cards', { token: 'a', limit: 3 }), ok)
    oracle.check(request('GET', '/cards/abc', ''), ok)
    expect(told(oracle)).toBeUndefined()
  })

  test.each([
    ['an unknown field', { token: 'a', nonsense: 1 }, '/ must NOT have additional properties: nonsense'],
    ['a number as text', { token: 'a', limit: '3' }, '/limit must be number'],
    ['a missing field', { limit: 3 }, "/ must have required property 'token'"],
  ])('names %s of a request and of an answer', (_, body, fault) => {
    const oracle = create()
    oracle.check(request('POST', '/cards', body), { status: 200, body: JSON.stringify(body) })
    expect(told(oracle)).toEqual([`POST /cards request ${fault}`, `POST /cards reply ${fault}`])
  })

  test('names an endpoint that the interface does not have', () => {
    const oracle = create()
    oracle.check(request('POST', '/accounts', {}), ok)
    expect(told(oracle)).toEqual(['POST /accounts: not in the published interface'])
  })

  test('does not judge a request that the vendor refused', () => {
    const oracle = create()
    oracle.check(request('POST', '/cards', {}), { status: 400, body: '{}' })
    expect(told(oracle)).toBeUndefined()
  })

  test('reports of a union only the branch that the value means', () => {
    const oracle = create()
    oracle.checkSent('part', { type: 'text', text: 'a', url: 'b' })
    expect(told(oracle)).toEqual(['sent part / must NOT have additional properties: url'])
  })

  test('reads numbers and booleans of a form', () => {
    const oracle = create({ encoding: 'form' })
    oracle.check(request('POST', '/cards', 'token=a&limit=3'), ok)
    oracle.check(request('POST', '/cards', 'token=a&limit=x'), ok)
    expect(told(oracle)).toEqual(['POST /cards request /limit must be number'])
  })

  test('leaves out a known difference, and it alone', () => {
    const oracle = create({ differences: [{ what: /nonsense/, reason: 'documented, absent from the types' }] })
    oracle.check(request('POST', '/cards', { token: 'a', nonsense: 1, more: 2 }), ok)
    expect(told(oracle)).toEqual(['POST /cards request / must NOT have additional properties: more'])
  })
})

test('a form with nested names and lists', () => {
  expect(parseForm(new URLSearchParams('a[b][]=1&a[b][]=2&c[0][d]=3&e=4'))).toEqual({ a: { b: ['1', '2'] }, c: [{ d: '3' }], e: '4' })
})

test('a description that is absent is undefined', () => {
  expect(readPublished('absent.json')).toBeUndefined()
})

test('OpenAPI keywords of 3.0 become JSON Schema', () => {
  expect(toJsonSchema({ type: 'number', nullable: true, minimum: 0, exclusiveMinimum: true })).toEqual({
    anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }],
  })
  expect(toJsonSchema({ oneOf: [{ $ref: '#/a' }], description: 'words' })).toEqual({ anyOf: [{ $ref: '#/a' }] })
  expect(toJsonSchema({ properties: { a: {} } }, true)).toEqual({ properties: { a: {} }, unevaluatedProperties: false })
})

test('schemas of an SDK refuse what its types refuse', async () => {
  const schemas = await readSdkSchemas({ package: 'lithic', modules: { Cards: 'lithic/resources/cards/cards' }, types: { Create: 'Cards.CardCreateParams' } })
  const oracle = createOracle({ vendor: 'lithic', schemas, endpoints: {} })
  oracle.checkSent('Create', { type: 'VIRTUAL', spend_limit: 100 })
  expect(told(oracle)).toBeUndefined()
  oracle.checkSent('Create', { type: 'VIRTUAL', spend_limit: '100', nonsense: 1 })
  expect(told(oracle)).toEqual(['sent Create / must NOT have additional properties: nonsense', 'sent Create /spend_limit must be number'])
})
