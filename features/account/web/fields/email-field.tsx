import { TextField } from '#ui/fields/text-field.tsx'

interface EmailFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly error: string | undefined
  readonly hint?: string
  readonly autoComplete?: 'username' | 'email'
}

/** E-mail field without keyboard autocorrection. Full-width letters and signs from a Chinese keyboard are converted to ASCII. */
export function EmailField({ onChange, autoComplete = 'email', ...field }: EmailFieldProps) {
  return (
    <TextField
      {...field}
      type="email"
      inputMode="email"
      name="email"
      autoComplete={autoComplete}
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      dir="ltr"
      maxLength={300}
      onChange={(event) => onChange(event.target.value)}
      onBlur={(event) => {
        const plain = event.target.value.normalize('NFKC').replaceAll('\u3002', '.').trim()
        if (plain !== event.target.value) onChange(plain)
      }}
    />
  )
}
