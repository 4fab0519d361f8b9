import { createHash } from 'node:crypto'
import { Worker, isMainThread, parentPort } from 'node:worker_threads'

/** Rounds per second of each of two threads on the reference machine, for which the waits in the tests were chosen. */
const REFERENCE = 1_500
const MEASURED_MS = 1_000

/** Slowdown of this machine against the reference machine, at least 1: two threads work for a second. Only stretches the waits inside tests. */
export async function measurePace(): Promise<number> {
  const rounds = await Promise.all([0, 1].map(countThreadRounds))
  return Math.max(1, REFERENCE / Math.max(1, Math.min(...rounds)))
}

function countThreadRounds(): Promise<number> {
  const worker = new Worker(new URL(import.meta.url))
  return new Promise((done, failed) => worker.once('message', done).once('error', failed))
}

/** A typical test workload: objects, text and hashes. */
function runRound(seed: number): string {
  const rows = Array.from({ length: 400 }, (_, at) => ({ at, name: `row ${at * seed}`, amount: BigInt(at * seed).toString() }))
  return createHash('sha256')
    .update(JSON.stringify(JSON.parse(JSON.stringify(rows))))
    .digest('hex')
}

if (!isMainThread && parentPort) {
  let rounds = 0
  for (let seed = 0; seed < 100; seed++) runRound(seed) // Compiled first.
  const until = performance.now() + MEASURED_MS
  while (performance.now() < until) runRound(rounds++)
  parentPort.postMessage(rounds)
}
