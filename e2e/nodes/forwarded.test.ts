import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveClientAddress } from '#features/gateway/server/hot/http/address.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { startHaproxy } from './haproxy.ts'
import type { Balancer } from './haproxy.ts'

// The proxy of deploy/, if it is installed.
const BINARY = process.env['HAPROXY'] ?? '/usr/sbin/haproxy'
const heard: { headers: IncomingHttpHeaders; address: string }[] = []
let isReady = true
const node = createServer((request, response) => {
  response.statusCode = request.url === '/readyz' && !isReady ? 503 : 200
  if (request.url !== '/readyz') heard.push({ headers: request.headers, address: resolveClientAddress(request) })
  response.end('ok')
})
let proxy: Balancer | undefined
beforeAll(async () => {
  if (!existsSync(BINARY)) return
  await new Promise<void>((done) => node.listen(0, '127.0.0.1', done))
  proxy = await startHaproxy(BINARY, [(node.address() as AddressInfo).port])
})
afterAll(async () => {
  await proxy?.stop()
  node.closeAllConnections()
  node.close()
})

test('a client’s own address headers reach no server, however they are written', async (context) => {
  if (!proxy) return context.skip()
  const claims: (Record<string, string> | [string, string][])[] = [
    { 'x-forwarded-for': '198.51.100.7' },
    { 'X-FORWARDED-FOR': '198.51.100.7, 10.0.0.1' },
    [
      ['x-forwarded-for', '198.51.100.7'],
      ['x-forwarded-for', '127.0.0.1'],
    ],
    { 'forwarded': 'for=198.51.100.7', 'x-real-ip': '198.51.100.7' },
  ]
  for (const headers of claims) expect((await fetch(`${proxy.url}/v1/models`, { headers })).status).toBe(200)
  expect(heard).toHaveLength(claims.length)
  for (const { headers, address } of heard) {
    expect(headers['x-forwarded-for']).toBe('127.0.0.1')
    expect([headers['forwarded'], headers['x-real-ip'], address]).toEqual([undefined, undefined, '127.0.0.1'])
  }
})

test('gateways that are all unready refuse calls themselves, in the shape of the vendor that was called', async (context) => {
  if (!proxy) return context.skip()
  isReady = false
  await waitForValue(() => proxy!.ready() === 0, 'the proxy to see it')
  const reply = await fetch(`${proxy.url}/v1beta/models/gemini-3.5-flash:generateContent`, { method: 'POST', body: '{}' })
  expect([reply.status, await reply.text()]).toEqual([200, 'ok'])
})
