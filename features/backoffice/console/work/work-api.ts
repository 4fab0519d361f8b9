import { deskContract } from '../../contract-desk.console.ts'
import type { WorkRow } from '../../contract-desk.console.ts'
import { cnyDisplay, usdDisplay } from '#platform/web/money.tsx'
import { consoleApi } from '../kit/api.ts'

const { work, workCounts, workItem, take, putBack } = deskContract
export const workApi = consoleApi({ work, workCounts, workItem, take, putBack })

export function amountText({ amount, currency }: Pick<WorkRow, 'amount' | 'currency'>): string {
  if (amount === null) return '—'
  if (currency === 'CNY') return cnyDisplay(amount)
  return currency === 'USD' ? usdDisplay(amount) : `${amount} ${currency}`
}

const MINUTE = 60_000
export const waitedMinutes = (row: Pick<WorkRow, 'since'>, now: number) => (now - Date.parse(row.since)) / MINUTE
