import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface RequestRecorder {
  readonly baseUrl: string
  /** Request lines that clients sent, `GET /v1/responses websocket` for an upgrade. */
  readonly asked: readonly string[]
  close(): void
}

const REQUEST = /^(GET|POST) (\S+) HTTP\/1\.1\r\n/

/** Forwards connections unchanged and records the requests on them. */
export async function startRequestRecorder(baseUrl: string): Promise<RequestRecorder> {
  const to = new URL(baseUrl)
  const asked: string[] = []
  const server = createServer((client) => {
    const upstream = connect(Number(to.port), to.hostname)
    client.on('data', (data: Buffer) => {
      const head = data.toString('latin1', 0, 4096)
      const line = REQUEST.exec(head)
      if (line) asked.push(`${line[1]} ${line[2]}${/\r\nupgrade: *websocket\r\n/i.test(head) ? ' websocket' : ''}`)
    })
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close: () => server.close() }
}
