import type { ReactNode } from 'react'
import { Skeleton } from '../skeleton.tsx'

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
    <div className={`card p-5 ${className}`}>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="text-13 text-fg-2">{label}</p>
          <p className="num mt-0.5 text-28 font-semibold [overflow-wrap:anywhere] mobile:text-20">{value}</p>
        </div>
        {action ? <div className="shrink-0 self-end">{action}</div> : null}
      </div>
      {note ? <p className="mt-0.5 text-13 text-fg-3">{note}</p> : null}
    </div>
  )
}

/** As high as the line below a figure. */
export const NoteSkeleton = () => (
  <span className="flex h-5 items-center">
    <Skeleton className="h-4 w-40 max-w-full" />
  </span>
)
