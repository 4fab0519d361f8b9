import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { beforeAll, expect, test } from 'vitest'
import { serveFiles } from './serve-files.ts'

const root = join(mkdtempSync(join(tmpdir(), 'pages-')), 'web')
const app = Fastify()

beforeAll(async () => {
  mkdirSync(join(root, 'assets/deep'), { recursive: true })
  for (const [name, text] of [
    ['boot.js', 'boot'],
    ['assets/a-1.js', 'code'],
    ['assets/deep/b-2.css', 'style'],
    ['assets/.hidden', 'no'],
  ] as const)
    writeFileSync(join(root, name), text)
  writeFileSync(join(root, 'assets/a-1.js.br'), brotliCompressSync('code'))
  writeFileSync(join(root, '../outside-of-pages.txt'), 'secret')
  app.setNotFoundHandler((_request, reply) => reply.status(404).send('nothing here'))
  await serveFiles(app, root, { 'x-content-type-options': 'nosniff' })
})

test.each([
  ['/boot.js', 'boot', 'no-cache'],
  ['/assets/a-1.js', 'code', 'public, max-age=31536000, immutable'],
  ['/assets/deep/b-2.css', 'style', 'public, max-age=31536000, immutable'],
])('%s comes with its headers, and HEAD has no body', async (url, body, cache) => {
  const reply = await app.inject({ method: 'GET', url })
  expect([reply.statusCode, reply.body]).toEqual([200, body])
  expect(reply.headers).toMatchObject({ 'cache-control': cache, 'x-content-type-options': 'nosniff' })
  const head = await app.inject({ method: 'HEAD', url })
  expect([head.statusCode, head.body, head.headers['cache-control']]).toEqual([200, '', cache])
})

test('an asset compressed at build time is sent compressed to clients that accept it', async () => {
  const reply = await app.inject({ method: 'GET', url: '/assets/a-1.js', headers: { 'accept-encoding': 'br' } })
  expect([reply.headers['content-encoding'], reply.headers['cache-control']]).toEqual(['br', 'public, max-age=31536000, immutable'])
})

test.each(['/assets/', '/assets', '/assets/deep/', '/assets/gone-3.js', '/assets/.hidden', '/gone.js'])('%s is not found', async (url) => {
  const reply = await app.inject({ method: 'GET', url })
  expect([reply.statusCode, reply.headers['cache-control']]).toEqual([404, undefined])
})

test.each(['/assets/../../outside-of-pages.txt', '/assets/..%2f..%2foutside-of-pages.txt', '/assets/%2e%2e/%2e%2e/outside-of-pages.txt'])(
  '%s opens no file outside',
  async (url) => {
    const reply = await app.inject({ method: 'GET', url })
    expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    expect(reply.body).not.toContain('secret')
  },
)
