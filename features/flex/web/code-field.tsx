import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { flexTexts } from '../texts.ts'

interface InviteCodeFieldProps {
  /** The one in use, from the address. */
  readonly code: string
  readonly state: '' | 'taken' | 'unknown' | 'used'
  readonly onUse: (code: string) => void
}

/** An invitation code that takes something off; what it did stands below it. */
export function InviteCodeField({ code: used, state, onUse }: InviteCodeFieldProps) {
  const t = useTexts(flexTexts)
  const [typed, setTyped] = useState(used)
  const code = typed.trim().toUpperCase()
  const isCode = /^[0-9A-Z]{3,10}$/.test(code)
  return (
    <form
      className="flex items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isCode || code === '') onUse(code) // an empty one takes it off again
      }}
    >
      <TextField
        fieldClassName="min-w-0 flex-1"
        label={t('codeLabel')}
        hint={state === 'taken' ? t('codeTaken') : t('codeHint')}
        error={state === 'unknown' ? t('codeUnknown') : state === 'used' ? t('codeUsed') : undefined}
        value={typed}
        maxLength={10}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button type="submit" variant="secondary" className="mt-7" disabled={!isCode && (code !== '' || used === '')}>
        {t('codeUse')}
      </Button>
    </form>
  )
}
