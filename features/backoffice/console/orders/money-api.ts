import { moneyContract } from '../../contract-money.console.ts'
import { cnyDisplay, usdDisplay } from '#platform/web/money.tsx'
import { consoleApi } from '../kit/api.ts'

export const moneyApi = consoleApi(moneyContract)

/** Formats an amount in the channel's currency. */
export function payText(amount: string, currency: string): string {
  return currency === 'CNY' ? cnyDisplay(amount) : usdDisplay(amount)
}
