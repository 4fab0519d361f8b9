import type { ModelRow } from '#features/gateway/contract.ts'
import { computeCallCost } from '../landing/sample.ts'
import { formatInYuan } from '../landing/yuan.ts'

/** Ten thousand Chinese characters at one token each, half input and half output: a high estimate. */
const HALF = 5000

/** Price of a conversation of 10 000 characters, e.g. "¥0.43"; undefined for models other than chat. */
export function estimateLongTalk(row: ModelRow, rate: string): string | undefined {
  if (row.kind !== 'chat') return undefined
  const shown = formatInYuan(computeCallCost(row, HALF, HALF), rate)
  return shown === '¥0.00' ? formatInYuan(computeCallCost(row, HALF, HALF), rate, 4) : shown
}
