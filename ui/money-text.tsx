import type { Figure } from '#platform/shared/figures.ts'
import { displayUsd, displayCny } from '#platform/web/money.tsx'
import { markFigure } from '#platform/web/figure.ts'

interface MoneyTextProps {
  /** Plain decimal text, as it travels. */
  readonly value: string
  /** "+" or "−" in front, as a movement has it. Zero has none. */
  readonly signed?: boolean
  readonly currency?: 'USD' | 'CNY'
  /** Decimals to reserve, so that points of a column stand below each other. */
  readonly align?: number
  readonly figure?: Figure | undefined
  readonly className?: string
}

const CENTS = 2

/**
 * An amount with every digit that it has, at least two; those after the second are smaller and grey. Zero is $0.00. The text itself
 * is whole, so that copying and the tooltip give the exact value.
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
