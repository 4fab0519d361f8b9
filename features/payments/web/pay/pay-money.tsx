import { displayMoney } from '#platform/web/money.tsx'
import { isPayCurrency, PAY_CURRENCIES } from '../../contract-currencies.ts'
import type { PayCurrency } from '../../contract-currencies.ts'

/** Formats a sum that a channel reports, in any currency. */
export function paidDisplay(amount: string, currency: string): string {
  return isPayCurrency(currency) ? payDisplay(amount, currency) : `${amount} ${currency}`
}

/** Formats the sum to pay, in the channel's currency. */
export function payDisplay(amount: string, currency: PayCurrency): string {
  return displayMoney(amount, PAY_CURRENCIES[currency].symbol)
}

export function PayAmount({ value, currency, className }: { readonly value: string; readonly currency: PayCurrency; readonly className?: string }) {
  return <span className={`num ${className ?? ''}`}>{payDisplay(value, currency)}</span>
}
