import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { TextField } from './text-field.tsx'
import { uiTexts } from './texts.ts'

export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'suffix'>) {
  const t = useTexts(uiTexts)
  const [shown, setShown] = useState(false)
  const label = t(shown ? 'hidePassword' : 'showPassword')
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      maxLength={50}
      autoCapitalize="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      suffix={
        <button type="button" className="icon-btn h-9 w-9" aria-label={label} title={label} aria-pressed={shown} onClick={() => setShown(!shown)}>
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    />
  )
}
