import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export interface FieldProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  /** Shown instead of the hint and announced when it appears. */
  readonly error?: string | undefined
  /** A link or button on the label's line. */
  readonly aside?: ReactNode
  /** The label is visible to screen readers only. */
  readonly hideLabel?: boolean
}

interface FrameProps extends FieldProps {
  readonly id: string
  readonly children: ReactNode
  readonly className?: string
}

/** Label above, hint or error below. The control points at `<id>-note` with aria-describedby. */
export function Field({ id, label, hint, error, aside, hideLabel = false, children, className = '' }: FrameProps) {
  return (
    <div className={className}>
      <div className={hideLabel ? 'sr-only' : 'mb-1.5 flex items-baseline justify-between gap-3 text-14'}>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside}
      </div>
      {children}
      <FieldNote id={`${id}-note`} hint={hint} error={error} />
    </div>
  )
}

export function FieldNote({ id, hint, error }: { readonly id: string; readonly hint?: ReactNode; readonly error?: string | undefined }) {
  return (
    <div id={id} aria-live="polite">
      {error ? (
        <p className="mt-1.5 flex items-start gap-1.5 text-13 text-danger">
          <CircleAlert size={14} strokeWidth={1.75} className="mt-[3px] shrink-0" aria-hidden="true" />
          {error}
        </p>
      ) : hint ? (
        <p className="mt-1.5 text-13 text-fg-3">{hint}</p>
      ) : null}
    </div>
  )
}
