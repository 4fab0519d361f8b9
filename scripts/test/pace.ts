import { createHash } from 'node:crypto'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'

/** Rounds in a second of each of two threads on the machine on which the waits in the tests were chosen. */
const REFERENCE = 1_500
const MEASURED_MS = 1_000

/**
 * How many times slower than that machine this one is now, 1 at least: two threads work for a second. Waits inside tests last so
 * many times longer. Nothing else follows from it.
 */
export async function measurePace(): Promise<number> {
  const rounds = await Promise.all([0, 1].map(roundsOfThread))
  return Math.max(1, REFERENCE / Math.max(1, Math.min(...rounds)))
}

function roundsOfThread(): Promise<number> {
  const worker = new Worker(new URL(import.meta.url))
  return new Promise((done, failed) => worker.once('message', done).once('error', failed))
}

/** What tests mostly do: objects, text and hashes. */
function round(seed: number): string {
  const rows = Array.from({ length: 400 }, (_, at) => ({ at, name: `row ${at * seed}`, amount: BigInt(at * seed).toString() }))
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(JSON.stringify(rows))))
    .digest('hex')
}

if (!isMainThread && parentPort) {
  let rounds = 0
  for (let seed = 0; seed < 100; seed++) round(seed) // compiled first
  const until = performance.now() + MEASURED_MS
  while (performance.now() < until) round(rounds++)
  parentPort.postMessage(rounds)
}
