import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A port that nobody has at the moment: for what must know its address before it starts. */
export function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => done(port))
    })
  })
}
