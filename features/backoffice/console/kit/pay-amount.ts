import { displayMoney } from '#platform/web/money.tsx'
import { isPayCurrency, PAY_CURRENCIES } from '#features/payments/contract-currencies.ts'

/** Formats an amount in a channel's currency: "¥147.45", or "147.45 EUR" in a currency that no order has. */
export function formatPayAmount(amount: string, currency: string): string {
  return isPayCurrency(currency) ? displayMoney(amount, PAY_CURRENCIES[currency].symbol) : `${amount} ${currency}`
}
