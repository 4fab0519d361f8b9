import { parseUsd, showUsd, sum, usd } from '#platform/shared/money.ts'

interface AmountProps {
  /** Plain decimal text, as it travels. */
  readonly value: string
  /** 2 for amounts, 4 for the cost of one call. */
  readonly places?: number
  /** Shows "+" or "−" in front: credits and debits in a list. */
  readonly signed?: boolean
  readonly className?: string
}

export function usdDisplay(value: string, places = 2, signed = false): string {
  return withSign(value, places, signed, '$')
}

export function cnyDisplay(value: string, places = 2, signed = false): string {
  return withSign(value, places, signed, '¥')
}

function withSign(value: string, places: number, signed: boolean, symbol: string): string {
  const negative = parseUsd(value) < 0n
  const shown = showUsd(negative ? value.slice(1) : value, places)
  return `${negative ? '−' : signed ? '+' : ''}${symbol}${shown}`
}

/** The exact sum of plain decimal amounts. */
export function sumUsd(values: readonly string[]): string {
  return usd(sum(values.map(parseUsd)))
}

/** A dollar amount in tabular mono figures. */
export function Usd({ value, places, signed, className }: AmountProps) {
  return <span className={`num ${className ?? ''}`}>{usdDisplay(value, places, signed)}</span>
}

/** A yuan amount in tabular mono figures. */
export function Cny({ value, places, signed, className }: AmountProps) {
  return <span className={`num ${className ?? ''}`}>{cnyDisplay(value, places, signed)}</span>
}
