import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

export interface TimelineStep {
  readonly key: string
  readonly state: 'done' | 'now' | 'todo' | 'failed'
  readonly text: ReactNode
  readonly note?: ReactNode
  /** At the right: the time, or the duration. */
  readonly time?: ReactNode
}

const dots = {
  done: 'border-brand bg-brand text-on-brand',
  now: 'border-brand bg-surface',
  todo: 'border-line bg-surface',
  failed: 'border-danger bg-danger',
} as const

/** Steps in a vertical line: done, current, upcoming; their times at the right. */
export function Timeline({ label, steps }: { readonly label: string; readonly steps: readonly TimelineStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map(({ key, state, text, note, time }, at) => {
        const last = at === steps.length - 1
        return (
          <li key={key} aria-current={state === 'now' ? 'step' : undefined} className={`relative flex gap-3 ${last ? '' : 'pb-4'}`}>
            {last ? null : <span className={`absolute top-5 bottom-0 left-[8px] w-px ${state === 'done' ? 'bg-brand' : 'bg-line'}`} aria-hidden="true" />}
            <span className={`mt-[3px] flex size-[17px] shrink-0 items-center justify-center rounded-full border-2 ${dots[state]}`} aria-hidden="true">
              {state === 'done' ? <Check size={11} strokeWidth={3} /> : state === 'now' ? <span className="size-[7px] rounded-full bg-brand" /> : null}
            </span>
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <p className={`text-14 ${state === 'now' ? 'font-semibold' : state === 'todo' ? 'text-fg-3' : state === 'failed' ? 'text-danger' : ''}`}>
                  {text}
                </p>
                {time ? <p className="tabular text-13 text-fg-3">{time}</p> : null}
              </div>
              {note ? <p className="text-13 text-fg-2">{note}</p> : null}
            </div>
          </li>
        )
      })}
    </ol>
  )
}
