import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paperContract } from '../../../contract-paper.ts'
import { selectPaperByNo, selectUserPapers } from '../data.ts'
import { renderPaperFile } from '../issue.ts'
import { toPaperView } from '../view.ts'

export const paperList: Handler<typeof paperContract.paperList> = async (ctx, { kind, cursor, pageSize }) => {
  const rows = await selectUserPapers(ctx.db, ctx.userId, { kind, before: cursor, limit: pageSize + 1 })
  const shown = rows.slice(0, pageSize)
  return { rowList: shown.map(toPaperView), nextCursor: rows.length > pageSize ? String(shown.at(-1)!.id) : null }
}

export const paperFile: Handler<typeof paperContract.paperFile> = async (ctx, { paperNo }) => {
  const paper = (await selectPaperByNo(ctx.db, ctx.userId, paperNo)) ?? fail('PAPER_NOT_FOUND')
  return renderPaperFile(paper, paper.lang)
}
