import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { Field, type FieldProps } from './field.tsx'

interface PickFieldProps<V extends string> extends FieldProps {
  readonly options: readonly { readonly value: V; readonly label: string }[]
  readonly value: V
  readonly onChange: (value: V) => void
  readonly className?: string
}

/** The browser's native list: phones show their own picker, and the page needs no code for it. */
export function PickField<V extends string>({ label, hint, error, aside, hideLabel, options, value, onChange, className = '' }: PickFieldProps<V>) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error} aside={aside} hideLabel={hideLabel ?? false} className={className}>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
          className="input cursor-pointer appearance-none truncate pr-10"
          aria-invalid={error ? true : undefined}
          aria-describedby={hint || error ? `${id}-note` : undefined}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-fg-2" />
      </div>
    </Field>
  )
}
