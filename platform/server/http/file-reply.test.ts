import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineContract, fileReply } from '#platform/shared/contract.ts'
import { defineErrors } from '#platform/shared/errors.ts'
import { createTestApp } from '#platform/testing/http.ts'
import type { Db } from '../database/db.ts'
import { bind, defineFeature } from '../feature.ts'

// A streamed file: compressed for clients that accept it, and aborted, not ended, if writing it fails.
const errors = defineErrors({})
const contract = defineContract(errors)({
  file: { method: 'GET', path: '/file', access: 'public', summary: 'A file', input: z.object({ fails: z.string().optional() }), reply: fileReply, errors: [] },
})
let ended = 0
async function* pieces(fails: boolean): AsyncGenerator<string> {
  try {
    for (let i = 0; i < 2000; i++) {
      if (fails && i === 1000) throw new Error('the database is gone')
      yield `第 ${i} 行,0.${i}\r\n`
    }
  } finally {
    ended++
  }
}
const feature = defineFeature({
  name: 'files',
  errors,
  routes: [bind(contract, { file: async (_ctx, { fails }) => ({ type: 'text/csv; charset=utf-8', filename: 'a.csv', body: pieces(fails !== undefined) }) })],
})
const { inject } = createTestApp({ features: [feature], db: { query: async () => [] } as unknown as Db })
const whole = Array.from({ length: 2000 }, (_, i) => `第 ${i} 行,0.${i}\r\n`).join('')

test('the plain file and the one compressed for clients that accept it are the same', async () => {
  const plain = await inject({ url: '/file' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe(whole)
  const packed = await inject({ url: '/file', headers: { 'accept-encoding': 'gzip, br' } })
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'vary': 'accept-encoding', 'content-disposition': 'attachment; filename="a.csv"' })
  expect(gunzipSync(packed.rawPayload).toString()).toBe(whole)
  expect(packed.rawPayload.length).toBeLessThan(whole.length / 3)
})

test.each([{}, { 'accept-encoding': 'gzip' }])('a reply whose file cannot be finished is aborted: %o', async (headers) => {
  ended = 0
  const reply = await inject({ url: '/file?fails=1', headers }).catch((error: Error) => error)
  const isWhole = !(reply instanceof Error) && reply.statusCode === 200
  expect(isWhole).toBe(false)
  expect(ended).toBe(1)
})
