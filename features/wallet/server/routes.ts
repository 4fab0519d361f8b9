import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { bind } from '#platform/server/feature.ts'
import { walletContract } from '../contract.ts'
import { fundsContract } from '../contract-funds.ts'
import { funds, fundsCsv, fundsSummary } from './funds/read-funds.ts'
import { readBalance, listBalanceEntries } from './verbs/balance.ts'

export const fundsRoutes = bind(fundsContract, { funds, fundsSummary, fundsCsv })

export const walletRoutes = bind(walletContract, {
  balanceInfo: async (ctx) => {
    const { posted, available, held, grantedUnspent, receivable, totalCredited, totalSpent } = await readBalance(ctx.db, ctx.userId)
    return {
      balance: formatUsd(posted),
      available: formatUsd(available),
      held: formatUsd(held),
      granted: formatUsd(grantedUnspent),
      owed: formatUsd(subtractNano(0n, receivable)),
      totalRechargeAmount: formatUsd(totalCredited),
      totalConsumedAmount: formatUsd(totalSpent),
      fullWithdraw: posted > 0n && held === 0n && grantedUnspent === 0n && receivable === 0n,
    }
  },
  statement: async (ctx, { before, limit }) => {
    const entries = await listBalanceEntries(ctx.db, { userId: ctx.userId, before: before ? BigInt(before) : undefined, limit })
    const rowList = entries.map((row) => ({
      seq: String(row.seq),
      kind: row.kind,
      ref: row.ref,
      amount: formatUsd(row.amount),
      balance: formatUsd(row.after),
      at: row.at.getTime(),
    }))
    const last = rowList.at(-1)
    return { rowList, ...(last && rowList.length === limit && last.seq !== '1' ? { next: last.seq } : {}) }
  },
})
