import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { retryable } from '#platform/shared/supplier-error.ts'
import { limitedCommand } from '#platform/server/parsing/limited-command.ts'
import type { Seen } from './lines.ts'

/** Its memory grows with each picture. */
const PICTURES = 40
const IDLE_MS = 90_000
/** Beyond any honest picture on a slow machine; the process is ended, the next picture gets a new one. */
const TOO_LONG_MS = 90_000
/** Who comes when so many wait is told to type. */
const WAITING = 20
/** Of one person: the two sides of a paper. */
const WAITING_EACH = 2

interface Waiting {
  readonly who: string
  readonly jpeg: Buffer
  readonly done: (seen: Seen | undefined) => void
}
interface Running {
  readonly child: ChildProcess
  pictures: number
}

/** Of the one reader, which is a process of ours: `BUSY` read nothing, `FAILED` gave up on this picture. */
export const READER = { BUSY: 'busy', FAILED: 'not_readable_now' } as const

export interface Reader {
  /** Throws `SupplierError`, always `retryable`: a reading changes nothing. */
  readonly read: (jpeg: Buffer, who: string) => Promise<Seen>
  /** Of the process, while there is one. */
  readonly pid: () => number | undefined
  readonly stop: () => void
}

/** Reads one picture after another in a process of its own, which starts with the first and ends when nobody comes. */
export function createReader(): Reader {
  let running: Running | undefined
  let busy = false
  let idle: NodeJS.Timeout | undefined
  const queue: Waiting[] = []

  const stop = () => {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
    for (const { done } of queue.splice(0)) done(undefined)
  }
  const one = async (jpeg: Buffer): Promise<Seen | undefined> => {
    for (let tries = 2; ; tries--) {
      const now = (running ??= start())
      const { seen, end } = await ask(now.child, jpeg)
      if (end === 'answered' && ++now.pictures < PICTURES) return seen
      now.child.kill('SIGKILL')
      const stopped = running !== now
      if (!stopped) running = undefined
      // something else ended it, perhaps before it ever saw this picture: a new one looks at it once
      if (end !== 'gone' || stopped || tries === 1) return seen
    }
  }
  const work = async () => {
    if (busy) return
    busy = true
    clearTimeout(idle)
    for (let next = queue.shift(); next; next = queue.shift()) next.done(await one(next.jpeg))
    busy = false
    idle = setTimeout(stop, IDLE_MS)
    idle.unref()
  }
  return {
    read: (jpeg, who) =>
      queue.length >= WAITING || queue.filter((one) => one.who === who).length >= WAITING_EACH
        ? Promise.reject(retryable(READER.BUSY))
        : new Promise<Seen | undefined>((done) => {
            queue.push({ who, jpeg, done })
            void work()
          }).then((seen) => seen ?? Promise.reject(retryable(READER.FAILED))),
    pid: () => running?.child.pid,
    stop,
  }
}

/** The models take half a gigabyte and grow; a picture takes some seconds of a core. */
const LIMITS = { dataBytes: 4_000_000_000, cpuSeconds: 1_800, heapMb: 512 } as const

/** Under limits of memory and time, as all that reads pictures of members; the environment is not inherited: no key, no password. */
function start(): Running {
  const { command, args } = limitedCommand({ entry: join(import.meta.dirname, 'child.ts'), limits: LIMITS, isConfined: false })
  const child = spawn(command, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {}, cwd: '/' })
  child.unref()
  child.channel?.unref()
  return { child, pictures: 0 }
}

let ids = 0

function ask(child: ChildProcess, jpeg: Buffer): Promise<{ seen?: Seen | undefined; end: 'answered' | 'gone' | 'late' }> {
  const id = ++ids
  return new Promise((done) => {
    const finish = (end: 'answered' | 'gone' | 'late', seen?: Seen) => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', gone)
      child.off('error', gone)
      done({ seen, end })
    }
    const hear = (message: unknown) => {
      const answer = message as { id: number; seen?: Seen }
      if (answer.id === id) finish('answered', answer.seen)
    }
    const gone = () => finish('gone')
    const timer = setTimeout(() => finish('late'), TOO_LONG_MS)
    child.on('message', hear)
    child.once('exit', gone)
    child.once('error', gone)
    child.send({ id, jpeg: new Uint8Array(jpeg) }, (problem) => {
      if (problem) gone()
    })
  })
}
