import type { UsageSource } from '#features/wallet/server/door.ts'
import { selectFirstCallAt, selectFundsDays, selectUsageTotals } from './data.ts'

/** Charges of calls for the balance page's ledger: by day and key, including rows not yet added up. */
export const gatewayUsage: UsageSource = {
  days: async ({ db }, accountId, { from, before }) =>
    (await selectFundsDays(db, accountId, { from, before })).map((row) => ({
      day: row.day,
      keyId: row.keyId,
      keyName: row.keyName ?? '',
      calls: Number(row.calls),
      models: row.models,
      amount: row.amount,
    })),
  sum: async ({ db }, accountId, { from, before }) => (await selectUsageTotals(db, { accountId, from, before, keyId: undefined, model: undefined })).amount,
  firstDay: ({ db }, accountId) => selectFirstCallAt(db, accountId),
}
