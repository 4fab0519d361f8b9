import { CSPProvider } from '@base-ui/react/csp-provider'
import { Select } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { FieldNote } from './field.tsx'
import { uiTexts } from './texts.ts'
import { useLandmark } from './use-landmark.ts'

export interface Option<V extends string = string> {
  readonly value: V
  readonly label: string
  readonly note?: ReactNode
}

interface SelectFieldProps<V extends string> {
  readonly label: ReactNode
  readonly hideLabel?: boolean
  readonly options: readonly Option<V>[]
  readonly value: V | undefined
  readonly onChange: (value: V) => void
  readonly hint?: ReactNode
  readonly error?: string | undefined
  readonly placeholder?: string
  readonly className?: string
}

export function SelectField<V extends string>({ label, hideLabel, options, value, onChange, hint, error, placeholder, className = '' }: SelectFieldProps<V>) {
  const t = useTexts(uiTexts)
  const id = useId()
  const [home, setTrigger] = useLandmark()
  return (
    // Base UI would add a <style> element to hide scroll bars; the content security policy forbids it.
    <CSPProvider disableStyleElements>
      <div className={className}>
        <Select.Root
          items={options as Option<V>[]}
          value={value ?? null}
          onValueChange={(next) => {
            if (next !== null) onChange(next)
          }}
        >
          <Select.Label className={hideLabel ? 'sr-only' : 'mb-1.5 block text-14 font-medium'}>{label}</Select.Label>
          <Select.Trigger
            ref={setTrigger}
            className="input flex items-center justify-between gap-3 text-left"
            aria-describedby={hint || error ? `${id}-note` : undefined}
            aria-invalid={error ? true : undefined}
          >
            <Select.Value className="truncate" placeholder={placeholder ?? t('choose')} />
            <Select.Icon>
              <ChevronDown size={16} strokeWidth={1.75} aria-hidden="true" />
            </Select.Icon>
          </Select.Trigger>
          <Select.Portal container={home}>
            <Select.Positioner positionMethod="fixed" className="z-3000" sideOffset={4} alignItemWithTrigger={false}>
              <Select.Popup className="popup min-w-[var(--anchor-width)]">
                <Select.List className="max-h-[min(var(--available-height),320px)] overflow-y-auto p-1">
                  {options.map((option) => (
                    <Select.Item
                      key={option.value}
                      value={option.value}
                      className="flex cursor-pointer items-center gap-2 rounded-tag px-3 py-2 text-14 outline-none data-[highlighted]:bg-sunken mobile:py-3"
                    >
                      <Select.ItemText className="min-w-0 flex-1">{option.label}</Select.ItemText>
                      {option.note ? <span className="text-13 text-fg-3">{option.note}</span> : null}
                      <span className="w-4">
                        <Select.ItemIndicator>
                          <Check size={16} aria-hidden="true" />
                        </Select.ItemIndicator>
                      </span>
                    </Select.Item>
                  ))}
                </Select.List>
              </Select.Popup>
            </Select.Positioner>
          </Select.Portal>
        </Select.Root>
        <FieldNote id={`${id}-note`} hint={hint} error={error} />
      </div>
    </CSPProvider>
  )
}
