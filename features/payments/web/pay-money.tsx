import { Cny, cnyDisplay, Usd, usdDisplay } from '#platform/web/money.tsx'
import type { PayCurrency } from '../words.ts'

/** What the payer pays, in the channel's currency. */
export function payDisplay(amount: string, currency: PayCurrency): string {
  return currency === 'USD' ? usdDisplay(amount) : cnyDisplay(amount)
}

export function PayAmount({ value, currency, className }: { readonly value: string; readonly currency: PayCurrency; readonly className?: string }) {
  const props = { value, ...(className ? { className } : {}) }
  return currency === 'USD' ? <Usd {...props} /> : <Cny {...props} />
}
