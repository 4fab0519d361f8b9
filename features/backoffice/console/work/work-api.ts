import { workDeskContract } from '../../contract-desk.console.ts'
import type { WorkRow } from '../../contract-desk.console.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { createConsoleApi } from '../kit/api.ts'

const { work, workCounts, workItem, take, putBack } = workDeskContract
export const workApi = createConsoleApi({ work, workCounts, workItem, take, putBack })

export function formatWorkAmount({ amount, currency }: Pick<WorkRow, 'amount' | 'currency'>): string {
  if (amount === null) return '—'
  if (currency === 'CNY') return displayCny(amount)
  return currency === 'USD' ? displayUsd(amount) : `${amount} ${currency}`
}

const MINUTE = 60_000
export const computeWaitedMinutes = (row: Pick<WorkRow, 'since'>, now: number) => (now - Date.parse(row.since)) / MINUTE
