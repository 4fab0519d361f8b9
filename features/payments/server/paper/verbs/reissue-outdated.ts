import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { selectOutdatedInvoices, voidPaper } from '../data.ts'
import type { PaperRow } from '../data.ts'
import { issueInvoice } from '../issue.ts'

const BATCH = 20

/** Job: voids each invoice that exceeds the remaining payments and replaces it with a correct one (X6). */
export async function reissueOutdated(deps: Deps): Promise<void> {
  for (const paper of await selectOutdatedInvoices(deps.db, BATCH)) {
    await reissue(deps, paper).catch((error: unknown) => deps.log.error({ err: error, paperNo: paper.paperNo }, 'an invoice could not be reissued'))
  }
}

async function reissue(deps: Deps, paper: PaperRow): Promise<void> {
  const { facts } = paper
  if (facts.kind !== 'invoice') return
  await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('invoice.outdated', `paper:${paper.paperNo}`)
    try {
      await tx.savepoint(() => issueInvoice(deps, tx, { userId: paper.userId, month: paper.month, to: facts.to, lang: paper.lang, instead: paper }))
    } catch (error) {
      if (!(error instanceof Failure) || error.errorName !== 'INVOICE_EMPTY') throw error
      // Refunded in full, so there is no replacement.
      await voidPaper(tx, paper.id, 'figures')
    }
  })
}
