import type { Log } from '../log.ts'
import type { LimitedProgram } from './limited-command.ts'
import { startParserChild } from './parser-child.ts'
import type { ParserChild } from './parser-child.ts'
import { readFileSync } from 'node:fs'

/** Milliseconds of one clock tick in /proc; Linux reports 100 ticks a second to programs (proc(5), sysconf(_SC_CLK_TCK)). */
const TICK_MS = 10

/** Processor time of a process in milliseconds; undefined if it has ended or the system has no /proc. */
function readProcessorMs(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    // The name may hold blanks and brackets; the fields after it are numbers: utime is the 12th, stime the 13th.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}

export interface ParserPoolOptions extends LimitedProgram {
  /** For log lines. */
  readonly name: string
  /**
   * Elapsed time limit for one file. A process that got less than half of it as processor time was waiting for the machine, so the limit is
   * extended by the same time, up to MAX_EXTENSIONS times.
   */
  readonly fileMs: number
  /** Maximum bytes of one result. */
  readonly outputBytes: number
  /** Maximum number of processes; the first starts with the first file. */
  readonly processes: number
  /** Maximum number of waiting files, in total and per owner. One file per owner is read at a time. */
  readonly waiting: { readonly all: number; readonly each: number }
  readonly idleMs?: number
  readonly log?: Pick<Log, 'warn'> | undefined
}

export interface FileToParse {
  readonly kind: string
  readonly file: Uint8Array
  /** User or sender that the file belongs to: one owner's hostile files cannot occupy every process. */
  readonly owner: string
  readonly head?: Readonly<Record<string, unknown>>
}

/**
 * `refused`: the parser rejected the file's format. `exceeded`: a limit ended the process, so the file is treated as hostile. `busy`: not
 * read for lack of room or processor time, or because the process could not run.
 */
export type ParseResult =
  | { readonly outcome: 'parsed'; readonly value: unknown; readonly parts: readonly Buffer[] }
  | { readonly outcome: 'refused'; readonly why: string }
  | { readonly outcome: 'exceeded' }
  | { readonly outcome: 'busy' }

export interface ParserPool {
  readonly parse: (file: FileToParse) => Promise<ParseResult>
  /** Process ids, for tests and metrics. */
  readonly pids: () => number[]
  readonly stop: () => void
}

interface Job {
  readonly file: FileToParse
  readonly done: (parsed: ParseResult) => void
  tries: number
}
const IDLE_MS = 60_000
/** Time limit of a start, which takes 0.1 s, or longer on a machine that swaps. The file's own time is counted after it. */
const START_MS = 30_000
/** Files per process. Replacing the process frees memory that native code has leaked. */
const FILES_PER_CHILD = 100
/** Attempts for a file whose process was killed for another reason (the system is out of memory, an operator's kill). */
const MAX_ATTEMPTS = 2
/** Time extensions of a file whose process got no processor time. */
const MAX_EXTENSIONS = 5

/** A small pool of processes that read hostile files under limits of time, memory and output. A process that hit a limit is replaced. */
export function createParserPool(options: ParserPoolOptions): ParserPool {
  const { waiting } = options
  const queue: Job[] = []
  let idle: NodeJS.Timeout | undefined
  const next = () => {
    clearTimeout(idle)
    for (const slot of slots) {
      if (slot.job()) continue
      const at = queue.findIndex(({ file: { owner } }) => slots.every((other) => other.job()?.file.owner !== owner))
      if (at < 0) break
      slot.run(queue.splice(at, 1)[0]!)
    }
    if (slots.every((slot) => !slot.job())) idle = setTimeout(() => slots.forEach((slot) => slot.retire()), options.idleMs ?? IDLE_MS).unref()
  }
  const slots = Array.from({ length: options.processes }, () => createSlot(options, next))
  return {
    parse: (file) => {
      const isFull = queue.length >= waiting.all || queue.filter((job) => job.file.owner === file.owner).length >= waiting.each
      if (isFull) return Promise.resolve({ outcome: 'busy' })
      return new Promise((done) => {
        queue.push({ file, done, tries: 0 })
        next()
      })
    },
    pids: () => slots.flatMap((slot) => slot.pid() ?? []),
    stop: () => {
      for (const { done } of queue.splice(0)) done({ outcome: 'busy' })
      for (const slot of slots) slot.stop()
      clearTimeout(idle)
    },
  }
}

interface Slot {
  readonly job: () => Job | undefined
  readonly pid: () => number | undefined
  readonly run: (job: Job) => void
  /** Ends the process; the next file starts another one. */
  readonly retire: () => void
  readonly stop: () => void
}

/** Manages one process and the file that it reads. */
function createSlot(options: ParserPoolOptions, onFree: () => void): Slot {
  const { name, fileMs, outputBytes, limits, log } = options
  let child: ParserChild | undefined
  let job: Job | undefined
  const clock = createFileClock()
  let cpuMs = 0

  const retire = () => {
    const before = child
    child = undefined
    cpuMs = 0
    before?.kill()
  }
  const finish = (parsed: ParseResult) => {
    const done = job?.done
    clock.stop()
    job = undefined
    if (child && (child.files >= FILES_PER_CHILD || cpuMs > limits.cpuSeconds * 500)) retire()
    done?.(parsed)
    onFree()
  }
  const start = (): ParserChild => {
    const started = startParserChild(options, outputBytes, {
      onReply: (reply, parts) => {
        if (child !== started) return
        if (reply.state === 'ready') return void (job && clock.watch(started, fileMs))
        cpuMs = reply.cpuMs
        if (reply.state === 'done') return finish({ outcome: 'parsed', value: reply.value, parts })
        // A failed parser may retain the file's data, so the next file gets a new process.
        retire()
        finish({ outcome: 'refused', why: reply.why ?? '' })
      },
      onEnd: ({ signal, hasBrokenOut }) => {
        if (child !== started) return
        child = undefined
        cpuMs = 0
        if (!job) return
        const facts = { parser: name, kind: job.file.kind, bytes: job.file.file.byteLength, signal, end: clock.end(), hasBrokenOut, isReady: started.isReady }
        log?.warn(facts, 'parser process ended')
        if (clock.end() === 'starved') return finish({ outcome: 'busy' })
        // A SIGKILL that this process did not send was not caused by the file.
        if (started.isReady && (clock.end() === 'late' || hasBrokenOut || signal !== 'SIGKILL')) return finish({ outcome: 'exceeded' })
        if (++job.tries >= MAX_ATTEMPTS) return finish({ outcome: 'busy' })
        run(job)
      },
    })
    return started
  }
  const run = (next: Job) => {
    job = next
    clock.reset()
    child ??= start()
    clock.watch(child, child.isReady ? fileMs : START_MS)
    child.send({ kind: next.file.kind, head: next.file.head ?? {} }, next.file.file)
  }
  return {
    job: () => job,
    pid: () => child?.pid(),
    run,
    retire,
    stop: () => {
      retire()
      if (job) finish({ outcome: 'busy' })
    },
  }
}

interface FileClock {
  /** Ends the process once the file's time is over. */
  readonly watch: (child: ParserChild, ms: number) => void
  readonly stop: () => void
  /** Resets the clock for the next file. */
  readonly reset: () => void
  /** Reason why the clock ended the process: `late`, the file used its time; `starved`, the process got no processor time. */
  readonly end: () => 'late' | 'starved' | undefined
}

function createFileClock(): FileClock {
  let timer: NodeJS.Timeout | undefined
  let end: 'late' | 'starved' | undefined
  return {
    watch: (child, ms) => {
      const before = readProcessorMs(child.pid())
      let rounds = 0
      const look = () => {
        const now = readProcessorMs(child.pid())
        const isStarved = before !== undefined && now !== undefined && now - before < ms / 2
        if (isStarved && ++rounds < MAX_EXTENSIONS) {
          timer = setTimeout(look, ms)
          return
        }
        end = isStarved ? 'starved' : 'late'
        child.kill()
      }
      clearTimeout(timer)
      timer = setTimeout(look, ms)
    },
    stop: () => clearTimeout(timer),
    reset: () => {
      end = undefined
    },
    end: () => end,
  }
}
