import type { Settings } from '#platform/server/settings.ts'
import { isConvertedCurrency, PAYOUT_CURRENCY, type PayCurrency } from '../../contract-currencies.ts'
import { rateSettings } from '../settings.ts'
import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'

/** Units of the currency per dollar, decimal text, at which an order created now would be frozen. */
export async function readPayRate(settings: Settings, currency: PayCurrency): Promise<string> {
  return isConvertedCurrency(currency) ? settings.get(rateSettings[currency]) : '1.0'
}

/** Yuan per dollar: the rate of withdrawals, and of prices that pages show in yuan. */
export const readExchangeRate = (settings: Settings): Promise<string> => readPayRate(settings, PAYOUT_CURRENCY)

export const exchangeRate: Handler<typeof paymentsContract.exchangeRate> = async (ctx) => ({
  from: 'USD',
  to: 'CNY',
  rate: await readExchangeRate(ctx.settings),
})
