import { storeValue, readStored } from '#platform/web/state/storage.ts'
import type { ChannelRow } from '../../../contract-shapes.ts'

const NAME = 'payMethod'
const YEAR_MS = 31_536_000_000

export const channelMethodKey = (row: Pick<ChannelRow, 'channelType' | 'transactionType'>) => `${row.channelType}:${row.transactionType}`

export function rememberMethod(row: Pick<ChannelRow, 'channelType' | 'transactionType'>): void {
  storeValue(NAME, channelMethodKey(row), YEAR_MS)
}

/**
 * Returns the balance if it covers the order, because it costs no fee; else the method used last, else the first open one (product.md 2.9).
 */
export function chooseFirstMethod(rows: readonly ChannelRow[]): ChannelRow | undefined {
  const open = rows.filter((row) => !row.disabled)
  const balance = open.find((row) => row.form === 'balance' && row.missing === '0')
  return balance ?? open.find((row) => channelMethodKey(row) === readStored(NAME)) ?? open[0]
}
