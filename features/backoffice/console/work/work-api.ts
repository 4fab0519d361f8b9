import { workDeskContract } from '../../contract-desk.console.ts'
import type { WorkRow } from '../../contract-desk.console.ts'
import { formatPayAmount } from '../kit/pay-amount.ts'
import { createConsoleApi } from '../kit/api.ts'

const { work, workCounts, workItem, take, putBack } = workDeskContract
export const workApi = createConsoleApi({ work, workCounts, workItem, take, putBack })

export function formatWorkAmount({ amount, currency }: Pick<WorkRow, 'amount' | 'currency'>): string {
  return amount === null ? '—' : formatPayAmount(amount, currency)
}

const MINUTE = 60_000
export const computeWaitedMinutes = (row: Pick<WorkRow, 'since'>, now: number) => (now - Date.parse(row.since)) / MINUTE
