import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Seen } from './lines.ts'

/** Its memory grows with each picture. */
const PICTURES = 40
const IDLE_MS = 90_000
/** Beyond any honest picture on a slow machine; the process is ended, the next picture gets a new one. */
const TOO_LONG_MS = 90_000
/** Who comes when so many wait is told to type. */
const WAITING = 20

interface Waiting {
  readonly jpeg: Buffer
  readonly done: (seen: Seen | undefined) => void
}
interface Running {
  readonly child: ChildProcess
  pictures: number
}

/** Reads one picture after another in a process of its own, which starts with the first and ends when nobody comes. */
export class Reader {
  #running: Running | undefined
  #busy = false
  #idle: NodeJS.Timeout | undefined
  readonly #queue: Waiting[] = []
  #ids = 0
  readonly #script: string

  constructor(script = join(import.meta.dirname, 'child.ts')) {
    this.#script = script
  }

  /** Undefined: it could not be read now. */
  read(jpeg: Buffer): Promise<Seen | undefined> {
    if (this.#queue.length >= WAITING) return Promise.resolve(undefined)
    return new Promise((done) => {
      this.#queue.push({ jpeg, done })
      void this.#work()
    })
  }

  /** How many processes there are, for tests. */
  get pid(): number | undefined {
    return this.#running?.child.pid
  }

  stop(): void {
    clearTimeout(this.#idle)
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
    for (const { done } of this.#queue.splice(0)) done(undefined)
  }

  async #work(): Promise<void> {
    if (this.#busy) return
    this.#busy = true
    clearTimeout(this.#idle)
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) next.done(await this.#one(next.jpeg))
    this.#busy = false
    this.#idle = setTimeout(() => this.stop(), IDLE_MS)
    this.#idle.unref()
  }

  #start(): Running {
    // Nothing of the server's environment goes along: no key, no password of the database.
    const child = fork(this.#script, [], { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: { PATH: process.env['PATH'] } })
    child.unref()
    child.channel?.unref()
    return { child, pictures: 0 }
  }

  #one(jpeg: Buffer): Promise<Seen | undefined> {
    const running = (this.#running ??= this.#start())
    const { child } = running
    const id = ++this.#ids
    return new Promise((done) => {
      const end = (seen: Seen | undefined, lost: boolean) => {
        clearTimeout(timer)
        child.off('message', hear)
        child.off('exit', gone)
        child.off('error', gone)
        if (lost || ++running.pictures >= PICTURES) {
          child.kill('SIGKILL')
          if (this.#running === running) this.#running = undefined
        }
        done(seen)
      }
      const hear = (message: unknown) => {
        const answer = message as { id: number; seen?: Seen }
        if (answer.id === id) end(answer.seen, false)
      }
      const gone = () => end(undefined, true)
      const timer = setTimeout(() => end(undefined, true), TOO_LONG_MS)
      child.on('message', hear)
      child.once('exit', gone)
      child.once('error', gone)
      child.send({ id, jpeg: new Uint8Array(jpeg) }, (problem) => {
        if (problem) end(undefined, true)
      })
    })
  }
}
