import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type KeyboardEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { TextField } from './text-field.tsx'
import { uiTexts } from '../texts.ts'

/** Nothing is cut off while typing or pasting: a password that is too long is refused, never truncated silently. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'suffix'>) {
  const t = useTexts(uiTexts)
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  const label = t(shown ? 'hidePassword' : 'showPassword')
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      maxLength={400}
      autoCapitalize="off"
      spellCheck={false}
      {...props}
      hint={caps ? t('capsLock') : props.hint}
      onKeyDown={watchCaps}
      onKeyUp={watchCaps}
      onBlur={(event) => {
        setCaps(false)
        props.onBlur?.(event)
      }}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className="icon-btn h-9 w-9 mobile:h-11 mobile:w-11"
          aria-label={label}
          title={label}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
    />
  )
}
