import type { Figure } from '#platform/shared/figures.ts'
import { displayUsd, displayCny, markFigure } from '#platform/web/money.tsx'

interface MoneyTextProps {
  /** Plain decimal text, as on the wire. */
  readonly value: string
  /** Shows "+" or "−" in front, for a movement. Zero has no sign. */
  readonly signed?: boolean
  readonly currency?: 'USD' | 'CNY'
  /** Decimals to reserve, so that decimal points align in a column. */
  readonly align?: number
  readonly figure?: Figure | undefined
  readonly className?: string
}

const CENTS = 2

/**
 * An amount with all its decimals, at least two; those after the second are smaller and grey. Zero is $0.00. The text itself is complete,
 * so that copying and the tooltip give the exact value.
 */
export function MoneyText({ value, signed = false, currency = 'USD', align, figure, className = '' }: MoneyTextProps) {
  const isZero = /^-?0*(\.0*)?$/.test(value)
  const show = currency === 'USD' ? displayUsd : displayCny
  const text = show(isZero ? '0' : value, CENTS, signed && !isZero)
  const end = text.indexOf('.') + 1 + CENTS
  const [main, rest] = [text.slice(0, end), text.slice(end)]
  const missing = Math.max(0, (align ?? CENTS) - CENTS - rest.length)
  const isCredit = signed && !isZero && !value.startsWith('-')
  return (
    <span className={`num ${className}`} title={text} {...markFigure(figure)}>
      {main}
      {rest ? <span className={`text-[0.82em] ${isCredit ? 'opacity-78' : 'text-fg-3'}`}>{rest}</span> : null}
      {missing ? <span aria-hidden="true" className="money-pad text-[0.82em]" data-pad={'0'.repeat(missing)} /> : null}
    </span>
  )
}
