import { useId, type ComponentProps, type ReactNode } from 'react'
import { Field, type FieldProps } from './field.tsx'

interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'id' | 'prefix'> {
  readonly id?: string
  /** Prefix inside the left edge that is not typed. At most four characters. */
  readonly prefix?: string
  /** Content inside the right edge: a unit, a reveal button. */
  readonly suffix?: ReactNode
  readonly fieldClassName?: string
}

/** One line of text with its label, note and error. Other properties are passed to the `input`. */
export function TextField({ label, hint, error, aside, id, prefix, suffix, className = '', fieldClassName, ...input }: TextFieldProps) {
  const own = useId()
  const at = id ?? own
  return (
    <Field id={at} label={label} hint={hint} error={error} aside={aside} className={fieldClassName}>
      <div className="relative">
        {prefix ? (
          <span className="num pointer-events-none absolute inset-y-0 left-3 flex items-center text-fg-3 mobile:text-16" aria-hidden="true">
            {prefix}
          </span>
        ) : null}
        <input
          {...input}
          id={at}
          className={`input ${prefix ? 'pl-[60px]' : ''} ${suffix ? 'pr-12' : ''} ${className}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={hint || error ? `${at}-note` : undefined}
        />
        {suffix ? <div className="absolute inset-y-0 right-1 flex items-center">{suffix}</div> : null}
      </div>
    </Field>
  )
}
