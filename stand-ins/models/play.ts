import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import { NOTHING, type Counts } from './read/ask.ts'
import type { ModelFault, Knobs } from './read/knobs.ts'
import type { Frame, WrittenReply } from './write/reply.ts'

/** How an answer ended, for the book. */
export interface Played {
  readonly status: 'finished' | 'aborted' | 'failed'
  readonly generated: Counts
  readonly billed: Counts
}

export interface Performance {
  readonly reply: WrittenReply
  readonly stream: boolean
  readonly knobs: Knobs
  readonly fault: ModelFault | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Google keeps generating, and billing, after the caller disconnects. */
  readonly billsAfterAbort: boolean
}

const EVENTS_BEFORE_FAULT = 5
/** A call that hangs is closed after this time. */
const HANG_MS = 900_000

/** Sends the answer frame by frame, with the pace and the fault that were asked for. Never throws. */
export async function play(res: ServerResponse, show: Performance): Promise<Played> {
  const { reply, stream, knobs, fault } = show
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  // A broken pipe shows as 'close' too; without a listener it would end the process.
  res.on('error', () => gone.abort())
  await pauseUnlessGone(knobs.first, gone.signal)
  const script = scriptFor(reply, stream, knobs, fault)
  const begun: { frame: Frame | undefined } = { frame: undefined }
  if (!gone.signal.aborted) {
    res.writeHead(200, {
      ...show.headers,
      'content-type': fault === 'wrong-type' ? 'text/plain; charset=utf-8' : reply.contentType,
      ...lengthOf(script, stream),
    })
    await send(res, script, knobs, gone.signal, begun)
  }
  return ending(show, script, begun.frame, gone.signal.aborted && !res.writableFinished && !script.broken)
}

function ending(show: Performance, script: Script, sent: Frame | undefined, left: boolean): Played {
  const { counts } = show.reply
  const all = (status: Played['status'], billed: Counts): Played => ({ status, generated: counts, billed: show.fault === 'usage-zero' ? NOTHING : billed })
  const part: Counts = sent ? (sent.generated ?? { ...counts, output: sent.output, reasoning: sent.reasoning }) : NOTHING
  if (script.broken) return { status: 'failed', generated: part, billed: show.stream ? part : NOTHING }
  if (!left) return all('finished', counts)
  if (show.billsAfterAbort || !show.stream) return all('aborted', counts)
  return { status: 'aborted', generated: part, billed: show.fault === 'usage-zero' ? NOTHING : part }
}

interface Script {
  readonly frames: readonly Frame[]
  /** How it ends when every frame is out (or `bytes` of them). */
  readonly end: 'end' | 'cut' | 'stall'
  readonly bytes: number
  /** The vendor broke it off. */
  readonly broken: boolean
}

function scriptFor(reply: WrittenReply, stream: boolean, knobs: Knobs, fault: ModelFault | undefined): Script {
  const { frames } = reply
  const before = stream ? frames.slice(0, knobs.event ?? EVENTS_BEFORE_FAULT) : frames
  const script = (more: Partial<Script>): Script => ({ frames, end: 'end', bytes: Infinity, broken: false, ...more })
  switch (fault) {
    case 'usage-twice':
      return script({ frames: frames.flatMap((frame) => (frame.usage ? [frame, frame] : [frame])) })
    case 'garbage':
      return script({ frames: [...frames, { ...frames.at(-1)!, data: 'garbage after the end\n', usage: false }] })
    case 'bad-json':
      return script({ frames: frames.map((frame, at) => (!stream || at === (knobs.event ?? 1) ? { ...frame, data: broken(frame.data) } : frame)) })
    case 'mid-error':
    case 'mid-failed': {
      const sent = before.at(-1)
      return script({
        frames: [...before, { output: sent?.output ?? 0, reasoning: sent?.reasoning ?? 0, data: reply.midError(fault === 'mid-failed', sent, before.length) }],
        broken: true,
      })
    }
    case 'truncate':
      return script(stream ? { frames: before, broken: true } : { frames: frames.map(half), broken: true })
    case 'stall':
      return script({ frames: stream ? before : frames.map(half), end: 'stall', broken: true })
    case 'cut': {
      if (knobs.byte !== undefined) return script({ end: 'cut', bytes: knobs.byte, broken: true })
      return script({ frames: stream ? before : frames.map(half), end: 'cut', broken: true })
    }
    default:
      return script({})
  }
}

function half(frame: Frame): Frame {
  const end = Math.floor(frame.data.length / 2)
  return { ...frame, data: typeof frame.data === 'string' ? frame.data.slice(0, end) : frame.data.subarray(0, end) }
}

function broken(data: string | Buffer): string {
  return data.toString().replace(/\}([\]\s]*)$/, '$1')
}

function lengthOf(script: Script, stream: boolean): Record<string, string> {
  if (stream) return { 'cache-control': 'no-cache' }
  if (script.end !== 'end') return {}
  return { 'content-length': String(script.frames.reduce((sum, frame) => sum + Buffer.byteLength(frame.data), 0)) }
}

async function send(res: ServerResponse, script: Script, knobs: Knobs, gone: AbortSignal, begun: { frame: Frame | undefined }): Promise<void> {
  let room = script.bytes
  for (const [at, frame] of script.frames.entries()) {
    if (at > 0) await pauseUnlessGone(knobs.chunk, gone)
    // Lets the close of a caller who left be heard between the events of a fast answer.
    if (at % 8 === 7) await turn()
    if (gone.aborted || room <= 0) break
    begun.frame = frame
    const bytes = typeof frame.data === 'string' ? Buffer.from(frame.data) : frame.data
    const flowing = res.write(bytes.length > room ? bytes.subarray(0, room) : bytes)
    room -= bytes.length
    if (!flowing) await Promise.race([drained(res), left(gone)])
  }
  if (script.end === 'stall') return pauseUnlessGone(HANG_MS, gone)
  if (script.end === 'cut') {
    res.flushHeaders()
    await turn()
    // Sends what is buffered, then closes without the final chunk, so that the caller sees a cut and not an end.
    res.socket?.destroySoon()
    return
  }
  if (gone.aborted) return
  const finished = new Promise<void>((resolve) => res.end(() => resolve()))
  await Promise.race([finished, left(gone)])
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => res.once('drain', () => resolve()))
}

function left(gone: AbortSignal): Promise<void> {
  return gone.aborted ? Promise.resolve() : new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }))
}

/** Waits, but not longer than the caller stays. */
export async function pauseUnlessGone(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0 && !gone.aborted) await sleep(ms, undefined, { signal: gone, ref: false }).catch(() => undefined)
}
