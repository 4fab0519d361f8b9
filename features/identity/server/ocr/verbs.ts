import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { allowsSandbox } from '#platform/server/config.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { asSupplierError } from '#platform/shared/supplier-error.ts'
import type { SupplierError } from '#platform/shared/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import type { PaperReading } from '../../contract-papers.ts'
import { UNSPECIFIED_PURPOSE } from '../../contract-words.ts'
import { readDataKey, sealIdentityBytes } from '../secrets.ts'
import { readsPerFile } from '../settings.ts'
import { cleanUpload } from '../uploads/clean-upload.ts'
import { countReadAttempt, markFileStored, storeReading, uncountReadAttempt } from '../uploads/data.ts'
import { getUploadStore, createStoreTools } from '../uploads/vendors/index.ts'
import { decryptPicture, requireStoredFile } from '../uploads/verbs.ts'
import { openReading, sealReading } from './readings.ts'
import { createOcrReader, READER_ERRORS } from './reader.ts'
import type { OcrReader } from './reader.ts'
import { readPaper } from './read-paper.ts'
import type { ReadablePicture } from './read-paper.ts'

let reader: OcrReader | undefined

/** Ends the reader's process; the next picture starts another. */
export function stopReader(): void {
  reader?.stop()
  reader = undefined
}

export const ocrPort = { port: 'identity.ocr', operations: { read: 'read' }, vendors: ['own'] } as const satisfies SupplierPort

/** A process of ours; where sandboxes are allowed, its failures can be planted like those of a vendor. */
function getReader({ config, db }: Ctx): Pick<OcrReader, 'read'> {
  reader ??= createOcrReader()
  return allowsSandbox(config, 'identity') ? withFaults(ocrPort, reader, () => db) : reader
}

/** The details can be typed. A reading that never began is not counted. */
async function failReading(ctx: Ctx, filePath: string, { reason, message }: SupplierError, isFirst: boolean): Promise<never> {
  ctx.log.warn({ file: filePath, why: message }, 'a paper could not be read')
  if (isFirst && reason !== READER_ERRORS.FAILED) await uncountReadAttempt(ctx.db, filePath)
  return fail('READER_AWAY')
}

/** Reads one's own picture as this kind of paper. Read once, it is answered from what was kept. */
export const createOcrHandler =
  (wanted: ReadablePicture) =>
  async (ctx: Ctx, { filePath }: { filePath: string }): Promise<PaperReading> => {
    const row = await requireStoredFile(ctx, filePath)
    if (row.purpose !== wanted && row.purpose !== UNSPECIFIED_PURPOSE) fail('WRONG_PAPER', { is: row.purpose })
    const key = (await readDataKey(ctx, ctx.db, ctx.userId)) ?? fail('UPLOAD_NOT_FOUND')
    if (row.sealed_reading) return openReading(key, filePath, row.sealed_reading)
    if (!(await countReadAttempt(ctx.db, filePath, await ctx.settings.get(readsPerFile)))) fail('TOO_MANY')
    const reading = getReader(ctx)
    const started = Date.now()
    let looks = 0
    const look = (jpeg: Buffer) => reading.read(jpeg, ctx.userId).finally(() => looks++)
    const outcome = await readPaper(look, await decryptPicture(ctx, row), wanted).catch((error: unknown) =>
      failReading(ctx, filePath, asSupplierError(error), looks < 2),
    )
    ctx.log.info({ purpose: wanted, outcome: outcome.outcome, ms: Date.now() - started }, 'paper read')
    if (outcome.outcome === 'wrong') fail('WRONG_PAPER', { is: outcome.is })
    const read: PaperReading = { filePath, purpose: wanted, fields: outcome.fields }
    const turned = outcome.turned && (await cleanUpload(ctx.log, { kind: 'image', file: outcome.turned, owner: ctx.userId }))
    if (turned === 'busy') fail('READER_AWAY')
    // Boxes are those of the picture as it was read.
    if (turned) await getUploadStore(ctx.config).put(createStoreTools(ctx), filePath, sealIdentityBytes(key, filePath, turned.body))
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (turned) await markFileStored(tx, filePath, turned, ctx.clock.now())
      await storeReading(tx, filePath, sealReading(key, read), wanted)
      await tx.audit('identity.paper-read', `user:${ctx.userId}`, { file: filePath, unsure: outcome.fields.filter((field) => !field.sure).length })
    })
    return read
  }
