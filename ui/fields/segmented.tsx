import type { ReactNode } from 'react'

export interface Segment<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly count?: number
}

interface SegmentedProps<V extends string> {
  readonly label: string
  readonly items: readonly Segment<V>[]
  readonly value: V
  readonly onChange: (value: V) => void
  readonly className?: string
}

/** One choice of a few, always visible: filters, units, views. Plain buttons, so that the landing page can use it. */
export function Segmented<V extends string>({ label, items, value, onChange, className = '' }: SegmentedProps<V>) {
  return (
    <div role="group" aria-label={label} className={`no-bar inline-flex max-w-full gap-0.5 overflow-x-auto rounded-control bg-sunken p-1 ${className}`}>
      {items.map((item) => (
        <button
          key={item.value}
          type="button"
          aria-pressed={item.value === value}
          onClick={() => onChange(item.value)}
          className="inline-flex shrink-0 items-center gap-1.5 rounded-tag px-3 py-1 text-13 font-medium text-fg-2 outline-offset-0 hover:text-fg aria-pressed:bg-surface aria-pressed:text-fg aria-pressed:ring-1 aria-pressed:ring-line mobile:min-h-[40px]"
        >
          {item.label}
          {item.count === undefined ? null : <span className="num text-12 text-fg-3">{item.count}</span>}
        </button>
      ))}
    </div>
  )
}
