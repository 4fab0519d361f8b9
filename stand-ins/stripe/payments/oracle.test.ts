import { expect, test } from 'vitest'
import type { ComparedRequest } from '../../kit/server.ts'
import { createStripePaymentsOracle } from './oracle.ts'

const oracle = await createStripePaymentsOracle()
const faults = (path: string, body: string, reply: object = { object: 'none' }) => {
  const request: ComparedRequest = { method: 'POST', path, query: new URLSearchParams(), headers: {}, body }
  oracle.check(request, { status: 200, body: JSON.stringify(reply) })
  try {
    oracle.report()
    return []
  } catch (error) {
    return (error as Error).message.split('\n  ').filter((line) => / request /.test(line))
  }
}

test('an enum in a request takes its named values only, though the types allow any text', () => {
  expect(faults('/v1/refunds', 'payment_intent=pi_1&reason=duplicate')).toEqual([])
  expect(faults('/v1/refunds', 'payment_intent=pi_1&reason=nonsense')).toEqual([expect.stringMatching(/^POST \/v1\/refunds request \/reason /)])
})

test('unknown fields and wrong kinds in a form are named, at any depth', () => {
  expect(faults('/v1/checkout/sessions', 'mode=payment&line_items[0][price_data][unit_amount]=x')).toHaveLength(2)
  expect(faults('/v1/checkout/sessions', 'mode=payment&nonsense=1')).toEqual([
    'POST /v1/checkout/sessions request / must NOT have additional properties: nonsense',
  ])
})
