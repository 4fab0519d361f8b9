import { atLeast, minus, parseUsd, usd } from '#platform/shared/money.ts'

/** Digits with at most two places, as they are typed; anything else is not taken over. */
export function typedAmount(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[,\s$]/g, '')
    .replace('。', '.')
  return /^\d{0,6}(\.\d{0,2})?$/.test(plain) ? plain : undefined
}

/** Parses a typed amount; undefined while it is invalid. */
export function amountOf(text: string): string | undefined {
  return /^\d+(\.\d{1,2})?$/.test(text) && parseUsd(text) > 0n ? usd(parseUsd(text)) : undefined
}

export function problemOf(amount: string | undefined, { min, max }: { readonly min: string; readonly max: string }): 'tooSmall' | 'tooLarge' | undefined {
  if (amount === undefined) return undefined
  return parseUsd(amount) < parseUsd(min) ? 'tooSmall' : parseUsd(amount) > parseUsd(max) ? 'tooLarge' : undefined
}

/** Part of a recharge that reaches the card, after the activation fee. */
export function onCard(amount: string, activationFee: string): string {
  return usd(atLeast(minus(parseUsd(amount), parseUsd(activationFee)), 0n))
}

/** Largest withdrawal: the available sum less the minimum that stays. */
export function mostOff(available: string, keep: string): string {
  return usd(atLeast(minus(parseUsd(available), parseUsd(keep)), 0n))
}

/** Part of the balance usable for a card; granted credit never is. */
export function usableFor({ available, granted }: { readonly available: string; readonly granted: string }): string {
  return usd(atLeast(minus(parseUsd(available), parseUsd(granted)), 0n))
}
