import { expect, test } from 'vitest'
import { listInputFields, buildCommandInput } from './schema.ts'

const schema = {
  properties: {
    upstreamId: { type: 'string' },
    concurrent: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    billsAfterAbort: { type: ['boolean', 'null'] },
    rules: { type: 'array', items: { type: 'object' } },
  },
  required: ['upstreamId'],
}

test('a nullable field uses the input of its other type, not JSON', () => {
  expect(listInputFields(schema).map(({ name, kind, isNullable }) => [name, kind, isNullable])).toEqual([
    ['upstreamId', 'text', false],
    ['concurrent', 'number', true],
    ['billsAfterAbort', 'switch', true],
    ['rules', 'json', false],
  ])
})

test('a date-time field uses the instant input', () => {
  const until = { properties: { until: { type: 'string', format: 'date-time' } }, required: ['until'] }
  expect(listInputFields(until).map(({ name, kind }) => [name, kind])).toEqual([['until', 'instant']])
  expect(buildCommandInput(listInputFields(until), { until: '2026-11-27T02:00:00.000Z' })).toEqual({ until: '2026-11-27T02:00:00.000Z' })
})

test('an empty field leaves a figure unchanged, a dash removes its limit', () => {
  const fields = listInputFields(schema)
  expect(buildCommandInput(fields, { upstreamId: 'a', concurrent: '' })).toEqual({ upstreamId: 'a' })
  expect(buildCommandInput(fields, { upstreamId: 'a', concurrent: '-' })).toEqual({ upstreamId: 'a', concurrent: null })
  expect(buildCommandInput(fields, { upstreamId: 'a', concurrent: '20' })).toEqual({ upstreamId: 'a', concurrent: 20 })
  expect(buildCommandInput(fields, { upstreamId: 'a', concurrent: 'many' })).toBeUndefined()
  expect(buildCommandInput(fields, { concurrent: '20' })).toBeUndefined()
})

test('input below its minimum length is not previewed', () => {
  const fields = listInputFields({ properties: { words: { type: 'string', minLength: 20 } }, required: ['words'] })
  expect(buildCommandInput(fields, { words: 'Delivered and used. ' })).toBeUndefined()
  expect(buildCommandInput(fields, { words: 'Delivered and used, ok' })).toEqual({ words: 'Delivered and used, ok' })
})
