import type { ReactNode } from 'react'

interface MeterProps {
  readonly label: ReactNode
  /** Used amount and limit, as text. */
  readonly used: ReactNode
  readonly of: ReactNode
  /** From 0 to 1; larger values count as full. */
  readonly share: number
  /** Shown below the bar: the remainder and its expiry. */
  readonly note?: ReactNode
}

/**
 * Used part of a limit: six pixels, amber from four fifths on, red when it is used up. The text states the figures; the bar repeats them
 * visually.
 */
export function Meter({ label, used, of, share, note }: MeterProps) {
  const full = share >= 1
  const near = share >= 0.8
  return (
    <div className="text-13">
      <p className="flex justify-between gap-3 whitespace-nowrap">
        <span className="text-fg-2">{label}</span>
        <span className="num">
          <span className={full ? 'font-semibold text-danger' : near ? 'font-semibold text-warning' : 'font-semibold'}>{used}</span>
          <span className="text-fg-3"> / {of}</span>
        </span>
      </p>
      <div className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <div
          className={`h-full rounded-full ${full ? 'bg-danger' : near ? 'bg-warning' : 'bg-brand'}`}
          style={{ width: `${Math.min(100, Math.max(share > 0 ? 2 : 0, share * 100))}%` }}
        />
      </div>
      {note ? <p className="mt-1.5 text-fg-2">{note}</p> : null}
    </div>
  )
}
