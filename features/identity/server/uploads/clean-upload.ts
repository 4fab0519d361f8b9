import { join } from 'node:path'
import type { Log } from '#platform/server/log.ts'
import { createParserPool } from '#platform/server/parsing/parser-pool.ts'
import type { ParserPool } from '#platform/server/parsing/parser-pool.ts'
import { MAX_UPLOAD_BYTES } from '../../contract-words.ts'

export interface CleanedUpload {
  readonly body: Buffer
  /** Pixels of a picture; 0 for a document. */
  readonly width: number
  readonly height: number
}

let pool: ParserPool | undefined

const getPool = (log: Log): ParserPool =>
  (pool ??= createParserPool({
    name: 'uploads',
    entry: join(import.meta.dirname, 'clean-child.ts'),
    // PDFium with sharp reserves 900 MB although 230 are used.
    limits: { dataBytes: 1_300_000_000, cpuSeconds: 20, heapMb: 256 },
    usesAddons: true,
    fileMs: 30_000,
    outputBytes: MAX_UPLOAD_BYTES + 1_000_000,
    processes: 2,
    waiting: { all: 30, each: 3 },
    log,
  }))

/** Ends the processes; the next upload starts another. */
export function stopCleaning(): void {
  pool?.stop()
  pool = undefined
}

/**
 * Redraws a picture or document in a separate process. Undefined if it is not of its declared kind, is damaged, or would take more time or
 * memory than any honest one; then nothing is stored. `busy`: the queue is full.
 */
export async function cleanUpload(
  log: Log,
  { kind, file, owner }: { kind: 'image' | 'pdf'; file: Buffer; owner: string },
): Promise<CleanedUpload | undefined | 'busy'> {
  const parsed = await getPool(log).parse({ kind, file, owner })
  if (parsed.outcome === 'busy') return 'busy'
  if (parsed.outcome !== 'parsed') return undefined
  const { width, height } = { width: 0, height: 0, ...(parsed.value as { width?: number; height?: number }) }
  return { body: parsed.parts[0]!, width, height }
}
