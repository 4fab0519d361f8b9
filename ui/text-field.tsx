import { useId, type ComponentProps, type ReactNode } from 'react'
import { Field, type FieldProps } from './field.tsx'

interface TextFieldProps extends FieldProps, Omit<ComponentProps<'input'>, 'id'> {
  readonly id?: string
  /** Inside the right edge: a unit, a reveal button. */
  readonly suffix?: ReactNode
  readonly fieldClassName?: string
}

/** Spread react-hook-form's `register('name')` into it. */
export function TextField({ label, hint, error, aside, id, suffix, className = '', fieldClassName, ...input }: TextFieldProps) {
  const own = useId()
  const at = id ?? own
  return (
    <Field id={at} label={label} hint={hint} error={error} aside={aside} className={fieldClassName}>
      <div className="relative">
        <input
          {...input}
          id={at}
          className={`input ${suffix ? 'pr-12' : ''} ${className}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={hint || error ? `${at}-note` : undefined}
        />
        {suffix ? <div className="absolute inset-y-0 right-1 flex items-center">{suffix}</div> : null}
      </div>
    </Field>
  )
}
