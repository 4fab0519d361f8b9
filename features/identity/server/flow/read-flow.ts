import { allowsSandbox } from '#platform/server/config.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Flow } from '../../contract.ts'
import { METHODS } from '../../contract-words.ts'
import type { Purpose } from '../../contract-words.ts'
import { personOf } from '../data.ts'
import { checkView, faceStatusOf } from '../face/view.ts'
import { newestCheck } from '../face/data.ts'
import { dataKey } from '../secrets.ts'
import { methodsOffered, photoDays } from '../settings.ts'
import { newestFiles } from '../uploads/data.ts'
import { readingOf } from '../ocr/readings.ts'
import { signFile } from '../uploads/signing.ts'
import { openDraft, openPerson, shortNumber } from '../person.ts'
import { infoStatusOf, picturesFor, stepOf } from '../steps.ts'

/** State of the opening, from the database alone, so that it can be resumed on any device. */
export async function openingFlow(ctx: Ctx): Promise<Flow> {
  return flowOf(ctx, ctx.db)
}

export async function flowOf(ctx: Ctx, sql: Sql): Promise<Flow> {
  const row = await personOf(sql, ctx.userId)
  const key = row?.sealed_key ? await dataKey(ctx, sql, ctx.userId) : undefined
  const person = key && row?.sealed_person ? openPerson(key, ctx.userId, row.sealed_person) : undefined
  const check = row ? await newestCheck(sql, ctx.userId) : undefined
  const offered = await ctx.settings.get(methodsOffered)
  return {
    status: row?.status ?? 'none',
    reason: row?.reason ?? null,
    step: stepOf(row),
    method: row?.method ?? null,
    methods: METHODS.filter((method) => offered.includes(method)),
    isTaxResidentUS: row?.taxpayer ?? null,
    identityInfoStatus: infoStatusOf(row),
    faceStatus: check ? faceStatusOf(check.state) : null,
    draft: key && row?.sealed_draft ? openDraft(key, ctx.userId, row.sealed_draft) : null,
    saved: person
      ? { chineseName: person.chineseName, lastName: person.lastName, firstName: person.firstName, number: shortNumber(person.number), paper: person.paper }
      : null,
    ...(await picturesOf(ctx, sql, key)),
    needed: { idcard: picturesFor('idcard', row?.method ?? null), passport: picturesFor('passport', row?.method ?? null) },
    check: check ? await checkView(ctx, sql, check) : null,
    photoDays: await ctx.settings.get(photoDays),
    samples: allowsSandbox(ctx.config, 'identity'),
  }
}

async function picturesOf(ctx: Ctx, sql: Sql, key: Buffer | undefined): Promise<Pick<Flow, 'files' | 'readings'>> {
  const rows = key ? await newestFiles(sql, ctx.userId) : []
  const files: Partial<Record<Purpose, Flow['files'][Purpose]>> = {}
  for (const row of rows) files[row.purpose] = { filePath: row.id, width: row.width!, height: row.height!, ...signFile(ctx, ctx.userId, row.id) }
  const readings = rows.flatMap((row) => (key && readingOf(key, row)) ?? [])
  return { files, readings }
}
