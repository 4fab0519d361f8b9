import type { Settings } from '#platform/server/settings.ts'
import { isConvertedCurrency, PAYOUT_CURRENCY } from '../../contract-currencies.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import { rateSettings } from '../settings.ts'

/** Units of the currency per dollar, decimal text, at which an order created now would be frozen. */
export async function readPayRate(settings: Settings, currency: PayCurrency): Promise<string> {
  return isConvertedCurrency(currency) ? settings.get(rateSettings[currency]) : '1.0'
}

/** Yuan per dollar: the rate of withdrawals, and of prices that pages show in yuan. */
export const readExchangeRate = (settings: Settings): Promise<string> => readPayRate(settings, PAYOUT_CURRENCY)
