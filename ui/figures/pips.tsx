import type { ReactNode } from 'react'

interface PipsProps {
  readonly label: ReactNode
  readonly count: number
  readonly of: number
  /** The figure's unit, outside the mono digits: 次. */
  readonly unit?: string
  /** Count from which the bars are red. */
  readonly dangerFrom: number
  readonly note?: ReactNode
}

/** A small count, one bar each: amber from the first, red from `dangerFrom` on. The text states the figure; the bars repeat it visually. */
export function Pips({ label, count, of, unit = '', dangerFrom, note }: PipsProps) {
  const danger = count >= dangerFrom
  const ink = danger ? 'text-danger' : 'text-warning'
  return (
    <div className="text-13">
      <p className="flex justify-between gap-3 whitespace-nowrap">
        <span>{label}</span>
        <span>
          <span className={`num font-semibold ${count ? ink : 'text-fg'}`}>{count}</span>
          <span className="num text-fg-3"> / {of}</span>
          {unit ? <span className="text-fg-3"> {unit}</span> : null}
        </span>
      </p>
      <div className="mt-1.5 flex gap-1" aria-hidden="true">
        {Array.from({ length: of }, (_, at) => (
          <span key={at} className={`h-1.5 flex-1 rounded-full ${at < count ? (danger ? 'bg-danger' : 'bg-warning') : 'bg-line'}`} />
        ))}
      </div>
      {note ? <p className="mt-1.5 text-fg-2">{note}</p> : null}
    </div>
  )
}
