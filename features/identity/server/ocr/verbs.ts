import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { allowsSandbox } from '#platform/server/config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { outcomeOf } from '#platform/shared/supplier-error.ts'
import type { SupplierError } from '#platform/shared/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Reading } from '../../contract-papers.ts'
import { UNSAID } from '../../contract-words.ts'
import { dataKey, sealBytes } from '../secrets.ts'
import { readsPerFile } from '../settings.ts'
import { cleanUpload } from '../uploads/clean-upload.ts'
import { countRead, keepFile, keepReading, uncountRead } from '../uploads/data.ts'
import { storeOf, storeTools } from '../uploads/vendors/index.ts'
import { pictureOf, takenIn } from '../uploads/verbs.ts'
import { openReading, sealReading } from './readings.ts'
import { createReader, READER } from './reader.ts'
import type { Reader } from './reader.ts'
import { readPaper } from './read-paper.ts'
import type { Shown } from './read-paper.ts'

let reader: Reader | undefined

/** Ends the reader's process; the next picture starts another. */
export function stopReader(): void {
  reader?.stop()
  reader = undefined
}

export const ocrPort = { port: 'identity.ocr', operations: { read: 'read' }, vendors: ['own'] } as const satisfies SupplierPort

/** A process of ours; where sandboxes are allowed, its failures can be planted like those of a vendor. */
function readerOf({ config, db }: Ctx): Pick<Reader, 'read'> {
  reader ??= createReader()
  return allowsSandbox(config, 'identity') ? withFaults(ocrPort, reader, () => db) : reader
}

/** The details can be typed. A reading that never began is not counted. */
async function away(ctx: Ctx, filePath: string, { reason, message }: SupplierError, isFirst: boolean): Promise<never> {
  ctx.log.warn({ file: filePath, why: message }, 'a paper could not be read')
  if (isFirst && reason !== READER.FAILED) await uncountRead(ctx.db, filePath)
  return fail('READER_AWAY')
}

/** Reads one's own picture as this kind of paper. Read once, it is answered from what was kept. */
export const ocr =
  (wanted: Shown) =>
  async (ctx: Ctx, { filePath }: { filePath: string }): Promise<Reading> => {
    const row = await takenIn(ctx, filePath)
    if (row.purpose !== wanted && row.purpose !== UNSAID) fail('WRONG_PAPER', { is: row.purpose })
    const key = (await dataKey(ctx, ctx.db, ctx.userId)) ?? fail('UPLOAD_NOT_FOUND')
    if (row.sealed_reading) return openReading(key, filePath, row.sealed_reading)
    if (!(await countRead(ctx.db, filePath, await ctx.settings.get(readsPerFile)))) fail('TOO_MANY')
    const reading = readerOf(ctx)
    const started = Date.now()
    let looks = 0
    const look = (jpeg: Buffer) => reading.read(jpeg, ctx.userId).finally(() => looks++)
    const outcome = await readPaper(look, await pictureOf(ctx, row), wanted).catch((error: unknown) => away(ctx, filePath, outcomeOf(error), looks < 2))
    ctx.log.info({ purpose: wanted, outcome: outcome.outcome, ms: Date.now() - started }, 'paper read')
    if (outcome.outcome === 'wrong') fail('WRONG_PAPER', { is: outcome.is })
    const read: Reading = { filePath, purpose: wanted, fields: outcome.fields }
    const turned = outcome.turned && (await cleanUpload(ctx.log, { kind: 'image', file: outcome.turned, owner: ctx.userId }))
    if (turned === 'busy') fail('READER_AWAY')
    // Boxes are those of the picture as it was read.
    if (turned) await storeOf(ctx.config).put(storeTools(ctx), filePath, sealBytes(key, filePath, turned.body))
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (turned) await keepFile(tx, filePath, turned, ctx.clock.now())
      await keepReading(tx, filePath, sealReading(key, read), wanted)
      await tx.audit('identity.paper-read', `user:${ctx.userId}`, { file: filePath, unsure: outcome.fields.filter((field) => !field.sure).length })
    })
    return read
  }
