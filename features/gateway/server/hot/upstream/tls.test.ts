import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import type { UpstreamClient } from '../deps.ts'
import { aLocalhostCertificate } from '../testing/certificate.ts'
import { createRecordedExchange, waitForExchangeEnd } from '../testing/recorded-exchange.ts'
import type { RecordedExchange } from '../testing/recorded-exchange.ts'
import { createUpstreamClient } from './client.ts'

let client: UpstreamClient
let close: () => void = () => undefined
const send = (origin: string): RecordedExchange => {
  const told = createRecordedExchange()
  client.send({ origin, path: '/', headers: [], body: Buffer.from('{}'), timeoutMs: 5_000 }, told)
  return told
}
afterEach(async () => {
  await client.close()
  close()
})

it('TLS: checks certificates, names the server, keeps the connection', async () => {
  const { cert, key } = aLocalhostCertificate()
  const names: (string | false | null)[] = []
  const secure = createTlsServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => {
    names.push(socket.servername, socket.alpnProtocol)
    socket.on('error', () => undefined)
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'3e8\r\n'}${'x'.repeat(1_000)}\r\n`.concat(`${'1\r\ny\r\n'.repeat(2_000)}0\r\n\r\n`))
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => secure.once('listening', resolve))
  close = () => secure.close()
  const { port } = secure.address() as AddressInfo
  client = createUpstreamClient({ tls: { ca: cert } })
  for (let i = 0; i < 3; i++) {
    const told = send(`https://localhost:${port}`)
    await waitForExchangeEnd(told)
    expect([told.end, told.body.length]).toEqual(['ended', 3_000])
  }
  const sniOnce = ['localhost', 'http/1.1']
  expect(names).toEqual(sniOnce)
  // The same server by its address, which the certificate does not name.
  const wrong = send(`https://127.0.0.1:${port}`)
  await waitForExchangeEnd(wrong)
  expect(wrong.end).toBe('failed')
  await client.close()
  client = createUpstreamClient()
  const unknown = send(`https://localhost:${port}`)
  await waitForExchangeEnd(unknown)
  expect(unknown.end).toBe('failed')
})
