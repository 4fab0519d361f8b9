import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A TCP proxy between a process and PostgreSQL that can be cut: bytes stop in both directions, as in a partitioned network. */
export interface CuttableConnection {
  /** Database URL through the proxy. */
  readonly url: string
  cut(): void
  /** Restores the proxy: earlier connections are closed, new ones work. */
  mend(): void
  stop(): Promise<void>
}

export async function openCuttableConnection(databaseUrl: string): Promise<CuttableConnection> {
  const target = new URL(databaseUrl)
  const folder = target.searchParams.get('host')
  const pairs = new Set<readonly [Socket, Socket | undefined]>()
  let isCut = false
  const server = createServer((near) => {
    const far = isCut ? undefined : folder === null ? connect(Number(target.port), target.hostname) : connect(`${folder}/.s.PGSQL.${target.port}`)
    const pair = [near, far] as const
    pairs.add(pair)
    for (const socket of [near, far])
      socket
        ?.on('error', () => undefined)
        .on('close', () => {
          pairs.delete(pair)
          for (const each of pair) each?.destroy()
        })
    if (!far) {
      near.pause()
      return
    }
    near.on('data', (bytes) => isCut || far.write(bytes))
    far.on('data', (bytes) => isCut || near.write(bytes))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const drop = () => {
    for (const pair of pairs) for (const socket of pair) socket?.destroy()
  }
  return {
    url: url.href,
    cut: () => {
      isCut = true
    },
    mend: () => {
      isCut = false
      drop()
    },
    stop: async () => {
      drop()
      await new Promise((done) => server.close(done))
    },
  }
}
