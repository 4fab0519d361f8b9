import { allowsSandbox } from '#platform/server/config.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { OpeningFlow } from '../../contract.ts'
import { IDENTITY_METHODS } from '../../contract-words.ts'
import type { UploadPurpose } from '../../contract-words.ts'
import { selectPerson } from '../data.ts'
import { buildFaceCheckReply, toFaceStatus } from '../face/view.ts'
import { selectNewestCheck } from '../face/data.ts'
import { readDataKey, openDraft, openPerson, maskIdentityNumber } from '../person.ts'
import { methodsOffered, photoDays } from '../settings.ts'
import { selectNewestFiles } from '../uploads/data.ts'
import { toPaperReading } from '../ocr/readings.ts'
import { signFile } from '../uploads/signing.ts'
import { toInfoStatus, listRequiredPictures, findOpenStep } from '../steps.ts'

/** State of the opening, from the database alone, so that it can be resumed on any device. */
export async function openingFlow(ctx: Ctx): Promise<OpeningFlow> {
  return readFlow(ctx, ctx.db)
}

export async function readFlow(ctx: Ctx, sql: Sql): Promise<OpeningFlow> {
  const row = await selectPerson(sql, ctx.userId)
  const key = row?.sealedKey ? await readDataKey(ctx, sql, ctx.userId) : undefined
  const person = key && row?.sealedPerson ? openPerson(key, ctx.userId, row.sealedPerson) : undefined
  const check = row ? await selectNewestCheck(sql, ctx.userId) : undefined
  const offered = await ctx.settings.get(methodsOffered)
  return {
    status: row?.status ?? 'none',
    reason: row?.reason ?? null,
    step: findOpenStep(row),
    method: row?.method ?? null,
    methods: IDENTITY_METHODS.filter((method) => offered.includes(method)),
    isTaxResidentUS: row?.taxpayer ?? null,
    identityInfoStatus: toInfoStatus(row),
    faceStatus: check ? toFaceStatus(check.state) : null,
    draft: key && row?.sealedDraft ? openDraft(key, ctx.userId, row.sealedDraft) : null,
    saved: person
      ? {
          chineseName: person.chineseName,
          lastName: person.lastName,
          firstName: person.firstName,
          number: maskIdentityNumber(person.number),
          paper: person.paper,
        }
      : null,
    ...(await readPictures(ctx, sql, key)),
    needed: { idcard: listRequiredPictures('idcard', row?.method ?? null), passport: listRequiredPictures('passport', row?.method ?? null) },
    check: check ? await buildFaceCheckReply(ctx, sql, check) : null,
    photoDays: await ctx.settings.get(photoDays),
    samples: allowsSandbox(ctx.config, 'identity'),
  }
}

async function readPictures(ctx: Ctx, sql: Sql, key: Buffer | undefined): Promise<Pick<OpeningFlow, 'files' | 'readings'>> {
  const rows = key ? await selectNewestFiles(sql, ctx.userId) : []
  const files: Partial<Record<UploadPurpose, OpeningFlow['files'][UploadPurpose]>> = {}
  for (const row of rows) files[row.purpose] = { filePath: row.id, width: row.width!, height: row.height!, ...signFile(ctx, ctx.userId, row.id) }
  const readings = rows.flatMap((row) => (key && toPaperReading(key, row)) ?? [])
  return { files, readings }
}
