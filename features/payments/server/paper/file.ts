import type { FileReply } from '#platform/shared/contract.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PaperRow } from './data.ts'

/** The drawing code and its fonts are loaded with the first requested paper. */
export async function renderPaperFile(paper: PaperRow, lang: Lang): Promise<FileReply> {
  const { drawPaper } = await import('./draw.ts')
  const standing = { paperNo: paper.paperNo, issuedAt: paper.issuedAt, voidAt: paper.voidAt, replacedBy: paper.replacedBy }
  return { type: 'application/pdf', filename: `${paper.paperNo}.pdf`, body: await drawPaper(paper.facts, standing, lang) }
}
