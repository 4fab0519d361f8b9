import { expect, test } from 'vitest'
import { z } from 'zod'
import { sampleReply } from './sample-reply.ts'

const row = z.object({
  id: z.string(),
  state: z.enum(['open', 'closed']),
  count: z.number(),
  on: z.boolean(),
  at: z.string().nullable(),
  names: z.array(z.string()),
  inner: z.object({ amount: z.string().regex(/^\d+$/), note: z.string().optional() }),
})

test('a sample has the given fields and the plainest valid value of the others', () => {
  expect(sampleReply(row, { id: 'one', count: 3 })).toEqual({
    ...{ id: 'one', state: 'open', count: 3, on: false, at: null, names: [], inner: { amount: '0', note: '' } },
  })
})

test('a sample without a valid value for a field throws', () => {
  expect(() => sampleReply(z.object({ day: z.iso.date() }), {})).toThrow(/day/)
})
