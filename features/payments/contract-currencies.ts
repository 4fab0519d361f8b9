interface CurrencyRow {
  /** Sign before an amount. */
  readonly symbol: string
  /** True if prices are converted to it, at the rate that operators set; false for dollars, the currency of all prices. */
  readonly isConverted: boolean
}

/**
 * Currencies of orders, by ISO 4217 code; the channel decides which one. All have a hundred minor units, on which `minorAmount`, `parseMinor`
 * and `formatMinor` rely. To add one, add a row, and its rate in `server/settings.ts`.
 */
export const PAY_CURRENCIES = {
  CNY: { symbol: '¥', isConverted: true },
  USD: { symbol: '$', isConverted: false },
} as const satisfies Readonly<Record<string, CurrencyRow>>
export type PayCurrency = keyof typeof PAY_CURRENCIES

/** Pay currencies with an exchange rate. */
export type ConvertedCurrency = { [Code in PayCurrency]: (typeof PAY_CURRENCIES)[Code]['isConverted'] extends true ? Code : never }[PayCurrency]

export const PAY_CURRENCY_CODES = Object.keys(PAY_CURRENCIES) as readonly PayCurrency[]

/** Currency of transfers to a customer's account (withdrawals). */
export const PAYOUT_CURRENCY = 'CNY'

/** False for the currency of a mismatched payment, which a channel reports and no order has. */
export const isPayCurrency = (code: string): code is PayCurrency => Object.hasOwn(PAY_CURRENCIES, code)

/** True if dollars are converted at a rate that the payer must see. */
export const isConvertedCurrency = (code: string): code is ConvertedCurrency => isPayCurrency(code) && PAY_CURRENCIES[code].isConverted

/** Prefix of an amount: "¥", "$", or the code and a space for a currency without a row. */
export const toCurrencySymbol = (code: string): string => (isPayCurrency(code) ? PAY_CURRENCIES[code].symbol : `${code} `)
