import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { paperByNo, papersOf } from '../data.ts'
import { fileOf } from '../file.ts'
import { paperView } from '../view.ts'

export const paperList: Handler<typeof paperContract.paperList> = async (ctx, { kind, cursor, pageSize }) => {
  const rows = await papersOf(ctx.db, ctx.userId, kind, cursor, pageSize + 1)
  const shown = rows.slice(0, pageSize)
  return { rowList: shown.map(paperView), nextCursor: rows.length > pageSize ? String(shown.at(-1)!.id) : null }
}

export const paperFile: Handler<typeof paperContract.paperFile> = async (ctx, { paperNo }) => {
  const paper = (await paperByNo(ctx.db, ctx.userId, paperNo)) ?? fail('PAPER_NOT_FOUND')
  return fileOf(paper, paper.lang)
}
