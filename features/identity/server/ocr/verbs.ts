import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Reading } from '../../contract-papers.ts'
import { UNSAID } from '../../contract-words.ts'
import { dataKey, sealBytes } from '../secrets.ts'
import { readsPerFile } from '../settings.ts'
import { cleanUpload } from '../uploads/clean-upload.ts'
import { countRead, keepFile, keepReading } from '../uploads/data.ts'
import { storeOf, storeTools } from '../uploads/vendors/index.ts'
import { pictureOf, takenIn } from '../uploads/verbs.ts'
import { openReading, sealReading } from './readings.ts'
import { createReader } from './reader.ts'
import type { Reader } from './reader.ts'
import { readPaper } from './read-paper.ts'
import type { Shown } from './read-paper.ts'

let reader: Reader | undefined

/** Ends the reader's process; the next picture starts another. */
export function stopReader(): void {
  reader?.stop()
  reader = undefined
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
    reader ??= createReader()
    const started = Date.now()
    const outcome = await readPaper((jpeg) => reader!.read(jpeg, ctx.userId), await pictureOf(ctx, row), wanted)
    ctx.log.info({ purpose: wanted, outcome: outcome.outcome, ms: Date.now() - started }, 'paper read')
    if (outcome.outcome === 'away') fail('READER_AWAY')
    if (outcome.outcome === 'wrong') fail('WRONG_PAPER', { is: outcome.is })
    const reading: Reading = { filePath, purpose: wanted, fields: outcome.fields }
    const turned = outcome.turned && (await cleanUpload(ctx.log, { kind: 'image', file: outcome.turned, owner: ctx.userId }))
    if (turned === 'busy') fail('READER_AWAY')
    // Boxes are those of the picture as it was read.
    if (turned) await storeOf(ctx.config).put(storeTools(ctx), filePath, sealBytes(key, filePath, turned.body))
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (turned) await keepFile(tx, filePath, turned, ctx.clock.now())
      await keepReading(tx, filePath, sealReading(key, reading), wanted)
      await tx.audit('identity.paper-read', `user:${ctx.userId}`, { file: filePath, unsure: outcome.fields.filter((field) => !field.sure).length })
    })
    return reading
  }
