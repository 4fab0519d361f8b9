import { moneyContract } from '../../contract-money.console.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { createConsoleApi } from '../kit/api.ts'

export const moneyApi = createConsoleApi(moneyContract)

/** Formats an amount in the channel's currency. */
export function formatPayAmount(amount: string, currency: string): string {
  return currency === 'CNY' ? displayCny(amount) : displayUsd(amount)
}
