import { connect, isIP } from 'node:net'
import type { Socket, TcpNetConnectOpts } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Origin } from '../parts.ts'

/** One for all connections: what is read is copied before anything else can be read (so on POSIX systems; not on Windows). */
const SHARED_READ_BUFFER = Buffer.allocUnsafeSlow(65_536)

export function connectSocket(origin: Origin, read: (buffer: Buffer, bytes: number) => boolean): Socket {
  const buffer = process.platform === 'win32' ? Buffer.allocUnsafeSlow(SHARED_READ_BUFFER.length) : SHARED_READ_BUFFER
  const options: TcpNetConnectOpts = {
    host: origin.hostname,
    port: origin.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
    onread: { buffer, callback: (bytes) => read(buffer, bytes) },
  }
  if (!origin.isTls) return connect(options)
  const session = origin.session()
  return connectTls({
    ...options,
    ...origin.tls,
    ...(isIP(origin.hostname) === 0 ? { servername: origin.hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    ...(session === undefined ? {} : { session }),
  })
}
