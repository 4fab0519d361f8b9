import type { FileReply } from '#platform/shared/contract.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { PaperRow } from './data.ts'

/** The drawing code and its fonts are loaded with the first requested paper. */
export async function renderPaperFile(paper: PaperRow, lang: Lang): Promise<FileReply> {
  const { drawPaper } = await import('./draw.ts')
  const standing = { paperNo: paper.paper_no, issuedAt: paper.issued_at, voidAt: paper.void_at, replacedBy: paper.replaced_by }
  return { type: 'application/pdf', filename: `${paper.paper_no}.pdf`, body: await drawPaper(paper.facts, standing, lang) }
}
