// Loaded into the serving process before its own code (NODE_OPTIONS=--import): reports the longest block of its event loop since the last
// query.
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

export interface LoopStop {
  /** Processor time of this thread between two turns of the loop, which excludes other processes of the machine. */
  readonly cpuMs: number
  /** The same in elapsed time. */
  readonly wallMs: number
}

const readThreadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Watches this thread's loop; each call returns the longest block since the previous call. */
export function watchLoop(): () => LoopStop {
  let [cpu, wall] = [readThreadCpuMs(), performance.now()]
  let [cpuMs, wallMs] = [0, 0]
  const tick = (): void => {
    const [cpuThen, wallThen] = [cpu, wall]
    ;[cpu, wall] = [readThreadCpuMs(), performance.now()]
    cpuMs = Math.max(cpuMs, cpu - cpuThen)
    wallMs = Math.max(wallMs, wall - wallThen)
  }
  setInterval(tick, 1).unref()
  return () => {
    const stop = { cpuMs, wallMs }
    ;[cpuMs, wallMs] = [0, 0]
    return stop
  }
}

const probePath = process.env['FUZZ_PROBE']
if (isMainThread && probePath) {
  // Children of the server have their own loops.
  delete process.env['FUZZ_PROBE']
  delete process.env['NODE_OPTIONS']
  const longest = watchLoop()
  createServer((socket) => {
    socket.on('error', () => undefined)
    // Replies after the current turn has ended.
    socket.on('data', () => setTimeout(() => socket.write(`${JSON.stringify(longest())}\n`), 3))
  })
    .listen(probePath)
    .unref()
}
