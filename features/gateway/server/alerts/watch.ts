import { multiplyNano, formatUsd } from '#platform/shared/money.ts'
import { showUsd } from '#platform/shared/show-money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { readPostedBalances } from '#features/wallet/server/door.ts'
import { selectBudgetWatches, selectBalanceWatches, markBudgetThreshold, markLowBalance } from './data-alerts.ts'
import type { BudgetWatch } from './data-alerts.ts'

export const BUDGET_THRESHOLDS_PERCENT = [50, 80, 100] as const
const PAGE = 500

/** News that an alert is due; `sendAlert` sends it. */
export interface DueAlert {
  readonly eventId: string
  readonly userId: string
  readonly kind: 'balance.low' | 'key.budget'
  /** Exact dollar texts and other facts, for the webhook. */
  readonly facts: Readonly<Record<string, string | number>>
}

/** Compares budgets and balances with their owners' alert thresholds. Each threshold alerts once per period, across all workers. */
export async function watchAlerts(deps: Deps): Promise<void> {
  await watchBudgets(deps)
  await watchBalances(deps)
}

async function watchBudgets(deps: Deps): Promise<void> {
  const day = toShanghaiDay(deps.clock.now())
  for (let after = ''; ;) {
    const rows = await selectBudgetWatches(deps.db, day, { after, limit: PAGE })
    for (const row of rows) {
      if (row.dayBudget !== null) await queueBudgetAlerts(deps, row, { period: 'day', starts: day, spent: row.daySpent, budget: row.dayBudget })
      if (row.monthBudget !== null)
        await queueBudgetAlerts(deps, row, { period: 'month', starts: `${day.slice(0, 7)}-01`, spent: row.monthSpent, budget: row.monthBudget })
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)!.keyId
  }
}

async function queueBudgetAlerts(
  deps: Deps,
  row: BudgetWatch,
  { period, starts, spent, budget }: { readonly period: 'day' | 'month'; readonly starts: string; readonly spent: bigint; readonly budget: bigint },
): Promise<void> {
  const isUsedUp = row.refused.includes(period)
  const reached = BUDGET_THRESHOLDS_PERCENT.filter(
    (threshold) => multiplyNano(spent, 100) >= multiplyNano(budget, threshold) || (threshold === 100 && isUsedUp),
  )
  if (reached.every((threshold) => row.told.includes(`${period} ${threshold}`))) return
  await transact(deps.db, SYSTEM, async (tx) => {
    // Record every threshold reached, but alert only for the highest: at 90 % the alert for 50 % adds nothing.
    let highest = 0
    for (const threshold of reached) if (await markBudgetThreshold(tx, row.keyId, { period, starts, threshold })) highest = threshold
    if (!highest) return
    const facts = { key_id: row.keyId, key_name: row.name, period, starts, threshold: highest, spent: formatUsd(spent), budget: formatUsd(budget) }
    await tx.audit('alert.due', `key:${row.keyId}`, facts)
    await tx.emit('gateway.alert', { userId: row.userId, kind: 'key.budget', facts })
  })
}

async function watchBalances(deps: Deps): Promise<void> {
  for (let after = ''; ;) {
    const rows = await selectBalanceWatches(deps.db, after, PAGE)
    const balances = await readPostedBalances(
      deps.db,
      rows.map((row) => row.userId),
    )
    for (const row of rows) {
      const posted = balances.get(row.userId) ?? 0n
      const isLow = posted < row.lowBalance
      if (isLow === row.lowTold) continue
      await transact(deps.db, SYSTEM, async (tx) => {
        if (!(await markLowBalance(tx, row.userId, isLow)) || !isLow) return
        const facts = { balance: formatUsd(posted), threshold: formatUsd(row.lowBalance) }
        await tx.audit('alert.due', `user:${row.userId}`, facts)
        await tx.emit('gateway.alert', { userId: row.userId, kind: 'balance.low', facts })
      })
    }
    if (rows.length < PAGE) return
    after = rows.at(-1)!.userId
  }
}

/** Dollar amount for mails, rounded to cents. */
export const formatAlertUsd = (text: string) => `$${showUsd(text, 2)}`
