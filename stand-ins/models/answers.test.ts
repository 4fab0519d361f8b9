import { fromJSONSchema } from 'zod'
import { describe, expect, test } from 'vitest'
import { embed } from './write/embeddings.ts'
import { readKnobs, withoutMarkers } from './read/knobs.ts'
import { valueFor } from './read/schema.ts'
import { countTokens, pieces } from './tokens.ts'
import { fillingFor } from './read/tool-choice.ts'

describe('tokens', () => {
  test.each([
    ['', 0],
    ['Hello', 2],
    ['Hello world', 4],
    ['你好，世界', 5],
    ['a  b ', 3],
    ['😀!', 2],
    ['a1b2c', 2],
  ])('%j is %i', (text, count) => {
    expect(countTokens(text)).toBe(count)
    expect(pieces(text)).toHaveLength(count)
    expect(pieces(text).join('')).toBe(text)
  })
})

describe('values from schemas', () => {
  const schemas = {
    object: {
      type: 'object',
      properties: { a: { type: 'string', minLength: 3, maxLength: 5 }, b: { type: 'integer', minimum: 10, multipleOf: 5 }, c: { type: ['null', 'number'] } },
      required: ['a', 'b', 'c'],
    },
    reference: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } },
          required: ['name', 'next'],
        },
      },
    },
    formats: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: { mail: { type: 'string', format: 'email' }, id: { type: 'string', format: 'uuid' }, at: { type: 'string', format: 'date-time' } },
        required: ['mail', 'id', 'at'],
      },
    },
    choice: { anyOf: [{ type: 'object', properties: { kind: { const: 'x' } }, required: ['kind'] }, { type: 'null' }] },
    exclusive: { type: 'number', exclusiveMinimum: 3, maximum: 4 },
    tuple: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }] },
    pattern: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
  }
  test.each(Object.entries(schemas))('%s', (_, schema) => {
    const value = valueFor(schema as never, fillingFor('Give me 7 things', 0))
    expect(fromJSONSchema(schema as never).safeParse(value)).toMatchObject({ success: true })
  })

  test('words, numbers and choices come from the question', () => {
    const schema = {
      type: 'OBJECT',
      properties: { city: { type: 'STRING' }, days: { type: 'INTEGER' }, unit: { type: 'STRING', enum: ['celsius', 'fahrenheit'] } },
    }
    expect(valueFor(schema, fillingFor('Forecast for Berlin, 3 days, in fahrenheit', 0))).toEqual({ city: 'Berlin', days: 3, unit: 'fahrenheit' })
  })
})

test('knobs: several in one marker, unknown names and bad numbers ignored, markers not echoed', () => {
  const text = 'Hi [[sandbox:fault=cut, byte=9; chunk=x]] there [[sandbox:nonsense]]'
  expect(readKnobs(text, { chunk: 3 })).toMatchObject({ fault: 'cut', byte: 9, chunk: 3, event: undefined })
  expect(withoutMarkers(text)).toBe('Hi  there')
})

test('embeddings: length 1, texts that share words lie closer', () => {
  const near = (a: string, b: string) => embed(a, 512).reduce((sum, value, at) => sum + value * embed(b, 512)[at]!, 0)
  expect(near('the ledger balances', 'the ledger balances')).toBeCloseTo(1)
  expect(near('the ledger balances', 'a ledger that balances')).toBeGreaterThan(near('the ledger balances', 'purple fish swim'))
})
