import type { Db, Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { executeMoves, insertPage, selectMoves, selectPages, settleCopy } from './data-replay.ts'
import type { CopiedTable } from './data-replay.ts'

const PAGE = 1000
const BEFORE: readonly CopiedTable[] = ['wallet_accounts', 'wallet_transactions']
const AFTER: readonly CopiedTable[] = ['wallet_lots', 'wallet_lot_uses', 'wallet_holds', 'wallet_captures', 'wallet_over_captures']

/**
 * Replays a whole journal in an empty, migrated database, in one transaction: balances, totals and chain heads are
 * recomputed and must match (money.md L14). `to` must be connected as the owner; `from` must not change meanwhile.
 */
export async function replayJournal(from: Sql, to: Db, actor: Actor): Promise<void> {
  await transact(to, actor, async (tx) => {
    const copy = async (table: CopiedTable) => {
      for await (const page of selectPages(from, table, PAGE)) await insertPage(tx, table, page)
    }
    for (const table of BEFORE) await copy(table)
    for (let after = 0n; ;) {
      const page = await selectMoves(from, after, PAGE)
      if (!page) break
      await executeMoves(tx, page.moves)
      after = page.last
    }
    for (const table of AFTER) await copy(table)
    await settleCopy(tx)
    await tx.audit('wallet.replayed', 'wallet')
  })
}
