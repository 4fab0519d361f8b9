import { parseUsd, roundHalfUp, sumNano, formatUsd } from '#platform/shared/money.ts'
import type { Figure } from '#platform/shared/figures.ts'
import { shortenUsd, showUsd, type AmountRounding } from '#platform/shared/show-money.ts'
import { site } from './site.ts'

/**
 * Marks an element that shows an amount of the customer's money with the name of its figure, so that robots compare it with the
 * books. Never an id. Not in production.
 */
export function markFigure(figure: Figure | undefined): { readonly 'data-figure'?: string } {
  return figure === undefined || site.stage === 'production' ? {} : { 'data-figure': figure }
}

interface AmountProps {
  /** Plain decimal text, as on the wire. */
  readonly value: string
  /** Minimum decimals; an amount with more shows them (show-money.ts). */
  readonly places?: number
  /** Shows "+" or "−" in front: credits and debits in a list. */
  readonly signed?: boolean
  readonly className?: string
  /** Name of the figure, for robots. */
  readonly figure?: Figure
}

/** Formats an amount for lists and sums: in full, with at least this many decimals. */
export function displayUsd(value: string, places = 2, signed = false): string {
  return `${signed && parseUsd(value) >= 0n ? '+' : ''}${displayMoney(value, '$', places)}`
}

export const displayCny = (value: string): string => displayMoney(value, '¥')

/** As `displayUsd`, with the symbol of any currency. */
export function displayMoney(value: string, symbol: string, places = 2): string {
  const negative = parseUsd(value) < 0n
  return `${negative ? '−' : ''}${symbol}${showUsd(negative ? value.slice(1) : value, places)}`
}

/** Formats a standalone figure, such as a headline: balances are rounded down, spending is rounded up. */
export function displayShortUsd(value: string, kind: AmountRounding, places?: number): string {
  const text = shortenUsd(value, kind, places)
  return text.startsWith('-') ? `−$${text.slice(1)}` : `$${text}`
}

/** Formats an estimate or a converted price, rounded to this many decimals; never use it for part of a sum. */
export function displayApproximateCny(value: string, places = 2): string {
  return `¥${showUsd(formatUsd(roundHalfUp(parseUsd(value), places)), places)}`
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

/** A standalone dollar figure (`displayShortUsd`); the tooltip shows the full amount. */
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
export function Cny({ value, className = '' }: Pick<AmountProps, 'value' | 'className'>) {
  return <span className={`num ${className}`}>{displayCny(value)}</span>
}
