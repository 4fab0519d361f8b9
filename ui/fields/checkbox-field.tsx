import { CircleAlert } from 'lucide-react'
import { useId, type ComponentProps, type ReactNode } from 'react'

interface CheckboxFieldProps extends Omit<ComponentProps<'input'>, 'type'> {
  readonly label: ReactNode
  readonly error?: string | undefined
}

/** A native checkbox: works with `register('name')`, autofill and every screen reader. */
export function CheckboxField({ label, error, className = '', ...input }: CheckboxFieldProps) {
  const id = useId()
  return (
    <div className={className}>
      <label className="flex cursor-pointer items-start gap-2.5 py-1 text-14 text-fg-2 mobile:py-2.5">
        <input
          {...input}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          className="mt-[3px] size-4 shrink-0 accent-brand"
        />
        <span>{label}</span>
      </label>
      <div id={`${id}-note`} aria-live="polite">
        {error ? (
          <p className="flex items-start gap-1.5 text-13 text-danger">
            <CircleAlert size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
            {error}
          </p>
        ) : null}
      </div>
    </div>
  )
}
