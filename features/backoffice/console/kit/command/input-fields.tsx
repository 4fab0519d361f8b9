import { useTexts } from '#platform/web/i18n.ts'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Field } from '#ui/fields/field.tsx'
import { formatBeijingField, parseBeijingField } from '../beijing.ts'
import { useConsoleFormatter } from '../format.ts'
import { kitTexts } from '../texts.ts'
import type { InputField } from './schema.ts'

interface InputFieldsProps {
  readonly fields: readonly InputField[]
  readonly typed: Readonly<Record<string, unknown>>
  readonly onType: (name: string, value: unknown) => void
}

/** The fields of a command's input, from its schema. */
export function InputFields({ fields, typed, onType }: InputFieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-3">
      {fields.map((field) => (
        <InputFieldControl key={field.name} field={field} value={typed[field.name] ?? field.fallback} onType={(value) => onType(field.name, value)} />
      ))}
    </div>
  )
}

function InputFieldControl({
  field: { name, kind, isRequired, options, maxLength, isNullable },
  value,
  onType,
}: {
  readonly field: InputField
  readonly value: unknown
  readonly onType: (value: unknown) => void
}) {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const label = isRequired ? say.field(name) : t('optionalField', { field: say.field(name) })
  if (kind === 'switch') return <CheckboxField label={say.field(name)} checked={value === true} onChange={(event) => onType(event.target.checked)} />
  if (kind === 'choice')
    return (
      <PickField
        label={label}
        value={String(value ?? '')}
        onChange={onType}
        options={[{ value: '', label: t('choose') }, ...options.map((one) => ({ value: one, label: say.value(one) }))]}
      />
    )
  if (kind === 'choices') {
    const chosen = Array.isArray(value) ? (value as string[]) : []
    return (
      <fieldset>
        <legend className="mb-1 text-14 font-medium">{label}</legend>
        <div className="grid grid-cols-2 gap-x-4">
          {options.map((one) => (
            <CheckboxField
              key={one}
              label={name === 'roles' ? say.role(one) : say.value(one)}
              checked={chosen.includes(one)}
              onChange={(event) => onType(event.target.checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
            />
          ))}
        </div>
      </fieldset>
    )
  }
  if (kind === 'json' || (kind === 'text' && (maxLength ?? 0) > 500))
    return (
      <Field id={`input-${name}`} label={label}>
        <textarea
          id={`input-${name}`}
          rows={kind === 'json' ? 6 : 4}
          className={`input ${kind === 'json' ? 'num' : ''}`}
          value={typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value, null, 2)}
          onChange={(event) => onType(event.target.value)}
        />
      </Field>
    )
  if (kind === 'instant') return <InstantField label={label} value={value} onType={onType} />
  return (
    <TextField
      label={label}
      hint={isNullable ? t('dashIsNone') : undefined}
      value={String(value ?? '')}
      onChange={(event) => onType(event.target.value)}
      type={kind === 'secret' ? 'password' : 'text'}
      inputMode={kind === 'text' || kind === 'secret' ? undefined : 'decimal'}
      maxLength={maxLength ?? 200}
      className={kind === 'text' ? '' : 'num'}
      suffix={kind === 'money' ? <span className="pr-2 text-12 text-fg-3">USD</span> : undefined}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
    />
  )
}

/** By the clock of Beijing, whatever the operator's own says. */
function InstantField({ label, value, onType }: { readonly label: string; readonly value: unknown; readonly onType: (value: unknown) => void }) {
  const t = useTexts(kitTexts)
  return (
    <TextField
      label={label}
      hint={t('beijing')}
      type="datetime-local"
      value={typeof value === 'string' && value ? formatBeijingField(Date.parse(value)) : ''}
      onChange={(event) => onType(parseBeijingField(event.target.value) ?? '')}
    />
  )
}
