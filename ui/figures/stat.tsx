import type { ReactNode } from 'react'

interface StatProps {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly note?: ReactNode
  readonly action?: ReactNode
  readonly className?: string
}

/** One figure in a card: 28/36 mono. */
export function Stat({ label, value, note, action, className = '' }: StatProps) {
  return (
    <div className={`card flex items-start justify-between gap-4 p-5 ${className}`}>
      <div className="min-w-0">
        <p className="text-13 text-fg-2">{label}</p>
        <p className="num mt-0.5 text-28 font-semibold [overflow-wrap:anywhere] mobile:text-20">{value}</p>
        {note ? <p className="mt-0.5 text-13 text-fg-3">{note}</p> : null}
      </div>
      {action ? <div className="shrink-0 self-end">{action}</div> : null}
    </div>
  )
}
