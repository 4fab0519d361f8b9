import { maxNano, subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'

/** Accepts digits with at most two decimals while they are typed; rejects any other input. */
export function cleanTypedAmount(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .replace(/[,\s$]/g, '')
    .replace('。', '.')
  return /^\d{0,6}(\.\d{0,2})?$/.test(plain) ? plain : undefined
}

/** Parses a typed amount; undefined while it is invalid. */
export function parseCardAmount(text: string): string | undefined {
  return /^\d+(\.\d{1,2})?$/.test(text) && parseUsd(text) > 0n ? formatUsd(parseUsd(text)) : undefined
}

export function findCardAmountProblem(
  amount: string | undefined,
  { min, max }: { readonly min: string; readonly max: string },
): 'tooSmall' | 'tooLarge' | undefined {
  if (amount === undefined) return undefined
  return parseUsd(amount) < parseUsd(min) ? 'tooSmall' : parseUsd(amount) > parseUsd(max) ? 'tooLarge' : undefined
}

/** Part of a recharge that reaches the card, after the activation fee. */
export function computeLoadedAmount(amount: string, activationFee: string): string {
  return formatUsd(maxNano(subtractNano(parseUsd(amount), parseUsd(activationFee)), 0n))
}

/** Largest withdrawal: the available sum less the minimum that stays. */
export function computeMaxWithdrawal(available: string, keep: string): string {
  return formatUsd(maxNano(subtractNano(parseUsd(available), parseUsd(keep)), 0n))
}

/** Part of the balance usable for a card; granted credit never is. */
export function computeUsableForCard({ available, granted }: { readonly available: string; readonly granted: string }): string {
  return formatUsd(maxNano(subtractNano(parseUsd(available), parseUsd(granted)), 0n))
}
