import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { listSeatSuppliers } from '../vendors/index.ts'
import { upsertAccount } from './data.ts'

/**
 * Syncs the suppliers' accounts: new accounts and seats go on sale, lost ones are withdrawn. A supplier that does not respond keeps its last state.
 */
export async function syncAccounts(deps: Deps): Promise<void> {
  for (const supplier of listSeatSuppliers(deps)) {
    try {
      const accounts = await supplier.accounts()
      await transact(deps.db, SYSTEM, async (tx) => {
        for (const account of accounts) await upsertAccount(tx, { supplier: supplier.name, ...account })
        await tx.audit('flex.accounts_synced', `supplier:${supplier.name}`, { accounts: accounts.length })
      })
    } catch (error) {
      countEvent('flex.supplier_away')
      deps.log.warn({ supplier: supplier.name, why: (error as Error).message }, "a supplier's accounts could not be read")
    }
  }
}
