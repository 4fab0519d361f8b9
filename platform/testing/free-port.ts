import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ephemeral port ranges (Linux from 32768, others from 49152). */
const [FIRST, PORTS] = [20_000, 12_000]
const MAX_ATTEMPTS = 100

/**
 * Reserves a port for a process that must know its address before it starts, or return to it after a kill. It lies below the ephemeral range, so no
 * outgoing connection takes it, and a folder named after it among the run's temporary files keeps other tests off.
 */
export async function reserveFreePort(): Promise<number> {
  for (let n = 0; n < MAX_ATTEMPTS; n++) {
    const port = FIRST + Math.floor(Math.random() * PORTS)
    if (tryReserve(port) && (await canListen(port))) return port
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + PORTS} in ${MAX_ATTEMPTS} tries`)
}

const reservedFolders: string[] = []

function tryReserve(port: number): boolean {
  const folder = join(tmpdir(), `mingxi-port-${port}`)
  try {
    mkdirSync(folder)
  } catch {
    return false
  }
  // The run removes them at its end; a file that runs without one removes its own.
  if (reservedFolders.length === 0) process.once('exit', () => reservedFolders.forEach((one) => rmSync(one, { recursive: true, force: true })))
  reservedFolders.push(folder)
  return true
}

const canListen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
