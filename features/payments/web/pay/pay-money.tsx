import { Cny, displayCny, Usd, displayUsd } from '#platform/web/money.tsx'
import type { PayCurrency } from '../../words.ts'

/** Formats a sum that a channel reports, in any currency. */
export function paidDisplay(amount: string, currency: string): string {
  return currency === 'USD' || currency === 'CNY' ? payDisplay(amount, currency) : `${amount} ${currency}`
}

/** Formats the sum to pay, in the channel's currency. */
export function payDisplay(amount: string, currency: PayCurrency): string {
  return currency === 'USD' ? displayUsd(amount) : displayCny(amount)
}

export function PayAmount({ value, currency, className }: { readonly value: string; readonly currency: PayCurrency; readonly className?: string }) {
  const props = { value, ...(className ? { className } : {}) }
  return currency === 'USD' ? <Usd {...props} /> : <Cny {...props} />
}
