import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { createFrameReader, encodeFrame } from './frames.ts'
import type { ParserFrame } from './frames.ts'
import { limitedCommand } from './limited-command.ts'
import type { LimitedProgram } from './limited-command.ts'
import type { ParserReply, ParserRequest } from './serve-parser.ts'

/** One process of a parser. */
export interface ParserChild {
  /** Sends a file to the process; one at a time. */
  readonly send: (request: ParserRequest, file: Uint8Array) => void
  readonly kill: () => void
  readonly pid: () => number | undefined
  /** True once the process has started and accepts files. */
  isReady: boolean
  files: number
}

export interface ChildEvents {
  readonly onReply: (reply: ParserReply, parts: readonly Buffer[]) => void
  /** `hasBrokenOut`: it wrote more than allowed, or something that is not a frame. */
  readonly onEnd: (end: { readonly signal: NodeJS.Signals | null; readonly hasBrokenOut: boolean }) => void
}

/** Lower priority than serving processes: a gateway on the same core runs first. */
const NICENESS = 10

/**
 * Starts a parser under its limits, without environment, in the working folder `/`. Never throws: a failed start is reported as an exit.
 */
export function startParserChild(program: LimitedProgram, maxOutputBytes: number, { onReply, onEnd }: ChildEvents): ParserChild {
  const { command, args } = limitedCommand(program)
  const process_ = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {}, cwd: '/' })
  let hasBrokenOut = false
  let hasEnded = false
  const kill = () => void process_.kill('SIGKILL')
  const end = (signal: NodeJS.Signals | null) => {
    if (hasEnded) return
    hasEnded = true
    onEnd({ signal, hasBrokenOut })
  }
  const child: ParserChild = {
    isReady: false,
    files: 0,
    kill,
    pid: () => process_.pid,
    send: (request, file) => {
      child.files++
      const body = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
      for (const bytes of encodeFrame({ head: request, parts: [body] })) process_.stdin.write(bytes)
    },
  }
  const receive = createFrameReader(maxOutputBytes, ({ head, parts }: ParserFrame) => {
    const reply = head as ParserReply
    if (reply.state === 'ready') child.isReady = true
    onReply(reply, parts)
  })
  process_.stdout.on('data', (chunk: Buffer) => {
    if (hasBrokenOut) return
    try {
      receive(chunk)
    } catch {
      hasBrokenOut = true
      kill()
    }
  })
  // A broken pipe is followed by the exit event.
  process_.stdin.on('error', () => undefined)
  process_.on('error', () => end(null))
  process_.on('close', (_code, signal) => end(signal))
  process_.unref()
  for (const pipe of [process_.stdin, process_.stdout]) (pipe as unknown as { unref?: () => void }).unref?.()
  if (process_.pid !== undefined) lowerPriority(process_.pid)
  return child
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // The process has ended, or the system forbids the change; the limits apply either way.
  }
}
