import { parseUsd } from '#platform/shared/money.ts'

export interface AmountBounds {
  readonly min: string
  readonly max: string
}
export type AmountProblem = 'amount_missing' | 'amount_small' | 'amount_large'

/** Chinese keyboards type full-width digits and full stops. */
export function normalizeAmount(text: string): string {
  return text.normalize('NFKC').replaceAll('\u3002', '.').trim()
}

/** At most as many whole digits as the largest amount, two decimals, and no sign. "" while the field is being emptied. */
export function isTypable(text: string, { max }: AmountBounds): boolean {
  const digits = max.split('.')[0]!.length
  return text === '' || new RegExp(`^\\d{1,${digits}}(\\.\\d{0,2})?$`).test(text)
}

/** Normalizes "20." and "020" to "20" for the server. Undefined until the input is valid. */
export function cleanAmount(text: string): string | undefined {
  const match = /^0*(\d+)(?:\.(\d{0,2}))?$/.exec(text)
  if (!match) return undefined
  const decimals = (match[2] ?? '').replace(/0+$/, '')
  return `${match[1]}${decimals ? `.${decimals}` : ''}`
}

export function findAmountProblem(amount: string | undefined, { min, max }: AmountBounds): AmountProblem | undefined {
  if (amount === undefined) return 'amount_missing'
  if (parseUsd(amount) < parseUsd(min)) return 'amount_small'
  if (parseUsd(amount) > parseUsd(max)) return 'amount_large'
  return undefined
}
