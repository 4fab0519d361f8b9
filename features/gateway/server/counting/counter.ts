import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Log } from '#platform/server/log.ts'
import { vendors } from '../vendors/index.ts'
import type { CountResult, CountJob } from './count-worker.ts'

export interface TokenCounter {
  /** Upper bound of a text's tokens at a vendor; undefined if too many texts are waiting or counting failed. */
  count(text: Buffer, vendor: string, accountId: bigint): Promise<number | undefined>
  stop(): Promise<void>
}

/** Limits on waiting texts, in total and per account; beyond them each byte counts as a token. */
const MAX_WAITING = 32
const MAX_WAITING_BYTES = 64 * 1024 * 1024
const MAX_PER_ACCOUNT = 2
const COPY_SLICE_BYTES = 262_144
/** The vendor's own tokenizer, or a similar one: a tenth is added, since a newer one may split a little finer. */
const OWN_MARGIN_DIVISOR = 10
/**
 * Vendors without a public tokenizer: the count is doubled, and at least two tokens per four bytes. Their tokenizers split prose and code
 * up to 1.4 times as fine; the second figure covers texts crafted to be few tokens here (long runs, set phrases) and many there.
 */
const FOREIGN_FACTOR = 2
const FOREIGN_BYTES_PER_TOKEN = 4

const PUBLIC_TOKENIZER_VENDORS = new Set(vendors.filter((vendor) => vendor.hasPublicTokenizer).map(({ id }) => id))

interface WaitingText {
  readonly bytes: number
  readonly accountId: bigint
  readonly answer: (tokens: number | undefined) => void
}

/** Counts off the event loop, in one thread that starts with the first text. */
export function createTokenCounter(log: Log): TokenCounter {
  let worker: Worker | undefined
  let waiting = new Map<number, WaitingText>()
  let bytes = 0
  let ids = 0

  const finish = (id: number, tokens: number | undefined) => {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    bytes -= one.bytes
    one.answer(tokens)
  }
  const start = (): Worker => {
    const thread = new Worker(new URL('./count-worker.ts', import.meta.url))
    const lost = (error?: unknown) => {
      if (worker !== thread) return
      if (error !== undefined) log.error({ err: error }, 'counting of tokens failed')
      worker = undefined
      const all = waiting
      waiting = new Map()
      bytes = 0
      for (const one of all.values()) one.answer(undefined)
    }
    thread.on('message', ({ id, tokens }: CountResult) => finish(id, tokens))
    thread.on('error', lost)
    thread.on('exit', () => lost())
    thread.unref()
    return thread
  }

  return {
    count: (text, vendor, accountId) => {
      let ofOne = 0
      for (const one of waiting.values()) if (one.accountId === accountId) ofOne++
      if (ofOne >= MAX_PER_ACCOUNT || waiting.size >= MAX_WAITING || bytes + text.length > MAX_WAITING_BYTES) return Promise.resolve(undefined)
      worker ??= start()
      const id = ++ids
      bytes += text.length
      return new Promise<number | undefined>((answer) => {
        waiting.set(id, { bytes: text.length, accountId, answer })
        void copyInSlices(text).then((copy) => {
          if (waiting.has(id)) worker?.postMessage({ id, text: copy } satisfies CountJob, [copy.buffer])
        })
      }).then((tokens) => (tokens === undefined ? undefined : boundTokenCount(vendor, tokens, text.length)))
    },
    stop: async () => {
      const thread = worker
      worker = undefined
      await thread?.terminate()
      for (const id of [...waiting.keys()]) finish(id, undefined)
    },
  }
}

/** Copies one slice per turn of the event loop: copying 31 MB at once would block other requests. */
async function copyInSlices(text: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += COPY_SLICE_BYTES) {
    if (at > 0) await setImmediate()
    copy.set(text.subarray(at, at + COPY_SLICE_BYTES), at)
  }
  return copy
}

/** At most one token per byte. */
export function boundTokenCount(vendor: string, tokens: number, bytes: number): number {
  const most = PUBLIC_TOKENIZER_VENDORS.has(vendor) ? tokens + tokens / OWN_MARGIN_DIVISOR : FOREIGN_FACTOR * Math.max(tokens, bytes / FOREIGN_BYTES_PER_TOKEN)
  return Math.min(bytes, Math.ceil(most))
}
