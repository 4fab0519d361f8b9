import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { allowsSandbox } from '#platform/server/config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { asSupplierError, retryableError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import type { PaperReading } from '../../contract-papers.ts'
import { UNSPECIFIED_PURPOSE } from '../../contract-words.ts'
import { readDataKey, sealIdentityBytes } from '../person.ts'
import { readsPerFile } from '../settings.ts'
import { cleanUpload } from '../uploads/clean-upload.ts'
import { countReadAttempt, markFileStored, storeReading, uncountReadAttempt } from '../uploads/data.ts'
import { getUploadStore, createStoreTools } from '../uploads/vendors/index.ts'
import { decryptPicture, requireStoredFile } from '../uploads/verbs.ts'
import { openReading, sealReading } from './readings.ts'
import { readPaper } from './read-paper.ts'
import type { ReadablePicture } from './read-paper.ts'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { limitedCommand } from '#platform/server/parsing/limited-command.ts'
import type { OcrResult } from './lines.ts'

/** Pictures per process, because its memory grows with each one. */
const MAX_PICTURES = 40
const IDLE_MS = 90_000
/** Timeout per picture, longer than any real one takes on a slow machine; the process is killed and the next picture starts a new one. */
const PICTURE_TIMEOUT_MS = 90_000
/** Queue limit; above it READER.BUSY asks the user to type instead. */
const MAX_QUEUED = 20
/** Queue limit per user: the two sides of a paper. */
const MAX_QUEUED_PER_USER = 2

interface QueuedPicture {
  readonly who: string
  readonly jpeg: Buffer
  readonly done: (seen: OcrResult | undefined) => void
}
interface RunningChild {
  readonly child: ChildProcess
  pictures: number
}

/** Error codes of the reader, which is our own process: `BUSY` read nothing, `FAILED` gave up on this picture. */
export const READER_ERRORS = { BUSY: 'busy', FAILED: 'not_readable_now' } as const

interface OcrReader {
  /** Throws `SupplierError`, always `retryable`: a reading changes nothing. */
  readonly read: (jpeg: Buffer, who: string) => Promise<OcrResult>
  /** Process id, while it runs. */
  readonly pid: () => number | undefined
  readonly stop: () => void
}

/** Reads pictures one at a time in a child process, which starts with the first and exits after 90 s without work. */
export function createOcrReader(): OcrReader {
  let running: RunningChild | undefined
  let busy = false
  let idle: NodeJS.Timeout | undefined
  const queue: QueuedPicture[] = []

  const stop = () => {
    clearTimeout(idle)
    running?.child.kill('SIGKILL')
    running = undefined
    for (const { done } of queue.splice(0)) done(undefined)
  }
  const one = async (jpeg: Buffer): Promise<OcrResult | undefined> => {
    for (let tries = 2; ; tries--) {
      const now = (running ??= start())
      const { seen, end } = await requestReading(now.child, jpeg)
      if (end === 'answered' && ++now.pictures < MAX_PICTURES) return seen
      now.child.kill('SIGKILL')
      const stopped = running !== now
      if (!stopped) running = undefined
      // something else killed it, perhaps before it saw this picture: retry once in a new process
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
      queue.length >= MAX_QUEUED || queue.filter((one) => one.who === who).length >= MAX_QUEUED_PER_USER
        ? Promise.reject(retryableError(READER_ERRORS.BUSY))
        : new Promise<OcrResult | undefined>((done) => {
            queue.push({ who, jpeg, done })
            void work()
          }).then((seen) => seen ?? Promise.reject(retryableError(READER_ERRORS.FAILED))),
    pid: () => running?.child.pid,
    stop,
  }
}

/** The models take 0.5 GB and grow; a picture takes several seconds of one core. */
const LIMITS = { dataBytes: 4_000_000_000, cpuSeconds: 1_800, heapMb: 512 } as const

/** Starts the child under memory and time limits, like all code that reads users' pictures, and without the environment: no keys, no passwords. */
function start(): RunningChild {
  const { command, args } = limitedCommand({ entry: join(import.meta.dirname, 'child.ts'), limits: LIMITS, isConfined: false })
  const child = spawn(command, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'], env: {}, cwd: '/' })
  child.unref()
  child.channel?.unref()
  return { child, pictures: 0 }
}

let ids = 0

function requestReading(child: ChildProcess, jpeg: Buffer): Promise<{ seen?: OcrResult | undefined; end: 'answered' | 'gone' | 'late' }> {
  const id = ++ids
  return new Promise((done) => {
    const finish = (end: 'answered' | 'gone' | 'late', seen?: OcrResult) => {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', gone)
      child.off('error', gone)
      done({ seen, end })
    }
    const hear = (message: unknown) => {
      const answer = message as { id: number; seen?: OcrResult }
      if (answer.id === id) finish('answered', answer.seen)
    }
    const gone = () => finish('gone')
    const timer = setTimeout(() => finish('late'), PICTURE_TIMEOUT_MS)
    child.on('message', hear)
    child.once('exit', gone)
    child.once('error', gone)
    child.send({ id, jpeg: new Uint8Array(jpeg) }, (problem) => {
      if (problem) gone()
    })
  })
}

let reader: OcrReader | undefined

/** Ends the reader's process; the next picture starts another. */
export function stopReader(): void {
  reader?.stop()
  reader = undefined
}

export const ocrPort = { port: 'identity.ocr', operations: { read: 'read' }, vendors: ['own'] } as const satisfies SupplierPort

/** Our own process; where sandboxes are allowed, faults can be injected into it like into a vendor. */
function getReader({ config, db }: Ctx): Pick<OcrReader, 'read'> {
  reader ??= createOcrReader()
  return allowsSandbox(config, 'identity') ? withFaults(ocrPort, reader, () => db) : reader
}

/** Handles a failed reading; the user can type the details. A reading that never began is not counted. */
async function failReading(
  ctx: Ctx,
  filePath: string,
  { error: { reason, message }, isFirst }: { readonly error: SupplierError; readonly isFirst: boolean },
): Promise<never> {
  ctx.log.warn({ file: filePath, why: message }, 'a paper could not be read')
  if (isFirst && reason !== READER_ERRORS.FAILED) await uncountReadAttempt(ctx.db, filePath)
  return fail('READER_AWAY')
}

/** Reads the user's own picture as this kind of paper. A second request returns the stored reading. */
export const createOcrHandler =
  (wanted: ReadablePicture) =>
  async (ctx: Ctx, { filePath }: { filePath: string }): Promise<PaperReading> => {
    const row = await requireStoredFile(ctx, filePath)
    if (row.purpose !== wanted && row.purpose !== UNSPECIFIED_PURPOSE) fail('WRONG_PAPER', { is: row.purpose })
    const key = (await readDataKey(ctx, ctx.db, ctx.userId)) ?? fail('UPLOAD_NOT_FOUND')
    if (row.sealedReading) return openReading(key, filePath, row.sealedReading)
    if (!(await countReadAttempt(ctx.db, filePath, await ctx.settings.get(readsPerFile)))) fail('TOO_MANY')
    const reading = getReader(ctx)
    const started = Date.now()
    let looks = 0
    const look = (jpeg: Buffer) => reading.read(jpeg, ctx.userId).finally(() => looks++)
    const outcome = await readPaper(look, await decryptPicture(ctx, row), wanted).catch((error: unknown) =>
      failReading(ctx, filePath, { error: asSupplierError(error), isFirst: looks < 2 }),
    )
    ctx.log.info({ purpose: wanted, outcome: outcome.outcome, ms: Date.now() - started }, 'paper read')
    if (outcome.outcome === 'wrong') fail('WRONG_PAPER', { is: outcome.is })
    const read: PaperReading = { filePath, purpose: wanted, fields: outcome.fields }
    const turned = outcome.turned && (await cleanUpload(ctx.log, { kind: 'image', file: outcome.turned, owner: ctx.userId }))
    if (turned === 'busy') fail('READER_AWAY')
    // Boxes refer to the picture as it was read.
    if (turned) await getUploadStore(ctx).put(createStoreTools(ctx), filePath, sealIdentityBytes(key, filePath, turned.body))
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (turned) await markFileStored(tx, filePath, { size: turned, now: ctx.clock.now() })
      await storeReading(tx, filePath, { sealed: sealReading(key, read), purpose: wanted })
      await tx.audit('identity.paper-read', `user:${ctx.userId}`, { file: filePath, unsure: outcome.fields.filter((field) => !field.sure).length })
    })
    return read
  }
