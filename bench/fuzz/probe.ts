// Loaded into the serving process ahead of it (NODE_OPTIONS=--import): how long its event loop stood still since it was last asked.
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

export interface LoopStop {
  /** Processor time of this thread between two turns of the loop: what others on the machine take is not in it. */
  readonly cpuMs: number
  /** The same by the clock. */
  readonly wallMs: number
}

const readThreadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Watches this thread's loop; each call answers the longest stop since the one before. */
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
  // Children of the server have loops of their own.
  delete process.env['FUZZ_PROBE']
  delete process.env['NODE_OPTIONS']
  const longest = watchLoop()
  createServer((socket) => {
    socket.on('error', () => undefined)
    // The turn that is under way ends first.
    socket.on('data', () => setTimeout(() => socket.write(`${JSON.stringify(longest())}\n`), 3))
  })
    .listen(probePath)
    .unref()
}
