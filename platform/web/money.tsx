import { parseUsd, roundHalfUp, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Figure } from '#platform/shared/figures.ts'
import { shortenUsd, showUsd } from '#platform/shared/show-money.ts'
import type { AmountRounding } from '#platform/shared/show-money.ts'
import { markFigure } from './figure.ts'

interface AmountProps {
  /** Plain decimal text, as it travels. */
  readonly value: string
  /** Decimals at least; an amount that has more shows them (show-money.ts). */
  readonly places?: number
  /** Shows "+" or "−" in front: credits and debits in a list. */
  readonly signed?: boolean
  readonly className?: string
  /** Which figure it is, for robots (figure.ts). */
  readonly figure?: Figure
}

/** An amount as lists and sums show it: whole, with at least so many decimals. */
export function displayUsd(value: string, places = 2, signed = false): string {
  return formatSigned(value, (size) => showUsd(size, places), signed, '$')
}

export function displayCny(value: string, places = 2, signed = false): string {
  return formatSigned(value, (size) => showUsd(size, places), signed, '¥')
}

/** A headline or a figure in a bar, which stands for itself: what one has is cut, what was spent is rounded up. */
export function displayShortUsd(value: string, kind: AmountRounding, places?: number): string {
  const text = shortenUsd(value, kind, places)
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
}

/** An estimate, a converted price: rounded to so many decimals, and never part of a sum. */
export function displayApproximateCny(value: string, places = 2): string {
  return `¥${showUsd(formatUsd(roundHalfUp(parseUsd(value), places)), places)}`
}

function formatSigned(value: string, show: (size: string) => string, signed: boolean, symbol: string): string {
  const negative = parseUsd(value) < 0n
  return `${negative ? '−' : signed ? '+' : ''}${symbol}${show(negative ? value.slice(1) : value)}`
}

/** The exact sum of plain decimal amounts. */
export function sumUsd(values: readonly string[]): string {
  return formatUsd(sumNano(values.map(parseUsd)))
}

/** A dollar amount in tabular mono figures. */
export function Usd({ value, places, signed, className, figure }: AmountProps) {
  return (
    <span className={`num ${className ?? ''}`} {...markFigure(figure)}>
      {displayUsd(value, places, signed)}
    </span>
  )
}

/** A dollar figure that stands for itself (`displayShortUsd`); the whole amount is one look away. */
export function UsdShort({
  value,
  kind,
  places,
  figure,
}: {
  readonly value: string
  readonly kind: AmountRounding
  readonly places?: number
  readonly figure?: Figure
}) {
  return (
    <span className="num" title={displayUsd(value)} {...markFigure(figure)}>
      {displayShortUsd(value, kind, places)}
    </span>
  )
}

/** A yuan amount in tabular mono figures. */
export function Cny({ value, places, signed, className }: AmountProps) {
  return <span className={`num ${className ?? ''}`}>{displayCny(value, places, signed)}</span>
}
