import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AlarmReceiver {
  /** `name state` of each alarm, and its time of arrival. */
  readonly heard: readonly { readonly what: string; readonly at: number }[]
  stop(): void
}

/** Receives alarms as the target of ALARM_URL; nodes that start after this send to it. */
export async function receiveAlarms(): Promise<AlarmReceiver> {
  const heard: { what: string; at: number }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      const { name, state } = JSON.parse(text) as { readonly name: string; readonly state: string }
      heard.push({ what: `${name} ${state}`, at: performance.now() })
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  process.env['ALARM_URL'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return {
    heard,
    stop: () => {
      delete process.env['ALARM_URL']
      server.closeAllConnections()
      server.close()
    },
  }
}
