import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ephemeral port ranges (Linux from 32768, others from 49152). */
const [FIRST, PORTS] = [20_000, 12_000]
const TRIES = 100

/**
 * Reserves a port for a process that must know its address before it starts, or return to it after a kill. It lies below the ephemeral range, so no
 * outgoing connection takes it, and a folder named after it among the run's temporary files keeps other tests off.
 */
export async function freePort(): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    const port = FIRST + Math.floor(Math.random() * PORTS)
    if (isOurs(port) && (await canListen(port))) return port
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + PORTS} in ${TRIES} tries`)
}

const ours: string[] = []

function isOurs(port: number): boolean {
  const folder = join(tmpdir(), `mingxi-port-${port}`)
  try {
    mkdirSync(folder)
  } catch {
    return false
  }
  // the run takes them with it; a file that runs without one takes its own
  if (ours.length === 0) process.once('exit', () => ours.forEach((one) => rmSync(one, { recursive: true, force: true })))
  ours.push(folder)
  return true
}

const canListen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
