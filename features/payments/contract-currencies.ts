interface CurrencyRow {
  /** Sign before an amount. */
  readonly symbol: string
  /** Only two decimals are supported: `minorAmount`, `parseMinor` and `formatMinor` rely on a hundred minor units. */
  readonly minorDigits: 2
  /** Run-time setting with the units per dollar that new orders freeze; null for dollars, the currency of all prices. */
  readonly rate: { readonly setting: string; readonly usual: string; readonly about: string } | null
}

/** Currencies of orders, by ISO 4217 code; the channel decides which one. To add a currency, add a row. */
export const PAY_CURRENCIES = {
  CNY: { symbol: '¥', minorDigits: 2, rate: { setting: 'payments.rate_cny', usual: '7.1230', about: 'Yuan for one dollar that new orders freeze' } },
  USD: { symbol: '$', minorDigits: 2, rate: null },
} as const satisfies Readonly<Record<string, CurrencyRow>>
export type PayCurrency = keyof typeof PAY_CURRENCIES

/** Pay currencies with an exchange rate. */
export type ConvertedCurrency = { [Code in PayCurrency]: (typeof PAY_CURRENCIES)[Code]['rate'] extends null ? never : Code }[PayCurrency]

export const PAY_CURRENCY_CODES = Object.keys(PAY_CURRENCIES) as readonly PayCurrency[]

/** Currency of transfers to a customer's account (withdrawals). */
export const PAYOUT_CURRENCY = 'CNY'

/** False for the currency of a mismatched payment, which a channel reports and no order has. */
export const isPayCurrency = (code: string): code is PayCurrency => Object.hasOwn(PAY_CURRENCIES, code)

/** True if dollars are converted at a rate that the payer must see. */
export const isConvertedCurrency = (code: string): code is ConvertedCurrency => isPayCurrency(code) && PAY_CURRENCIES[code].rate !== null

/** Prefix of an amount: "¥", "$", or the code and a space for a currency without a row. */
export const toCurrencySymbol = (code: string): string => (isPayCurrency(code) ? PAY_CURRENCIES[code].symbol : `${code} `)
