import { useTexts } from '#platform/web/i18n.ts'
import { TextField } from '#ui/fields/text-field.tsx'
import { useSignInOptions } from '../sign-in-options.ts'
import { PHONE_REGIONS, normalizePhoneInput, updatePhoneInput, type PhoneInput } from '../../phone.ts'
import { accountTexts } from '../../texts.ts'

const AUTH_REGION_TEXT = { 86: 'auth_region_86', 852: 'auth_region_852', 853: 'auth_region_853' } as const

interface PhoneFieldProps {
  readonly label: string
  readonly value: PhoneInput
  readonly onChange: (value: PhoneInput) => void
  readonly error: string | undefined
  readonly autoComplete?: 'username' | 'tel-national'
  readonly hint?: string
}

/** Phone field for digits only. The region is a tab, which follows a number pasted or typed with its prefix (on blur). */
export function PhoneField({ label, value, onChange, error, autoComplete = 'tel-national', hint }: PhoneFieldProps) {
  const t = useTexts(accountTexts)
  const regions = useSignInOptions()?.mobileRegions ?? PHONE_REGIONS
  return (
    <TextField
      label={label}
      type="tel"
      inputMode="numeric"
      autoComplete={autoComplete}
      prefix={`+${value.region}`}
      className="tabular"
      value={value.number}
      hint={hint}
      error={error}
      onChange={(event) => onChange(updatePhoneInput(event.target.value, value.region))}
      onBlur={() => {
        const settled = normalizePhoneInput(value)
        if (settled.region !== value.region || settled.number !== value.number) onChange(settled)
      }}
      aside={
        <div role="group" aria-label={t('auth_region')} className="-mr-1.5 flex flex-wrap justify-end mobile:-my-2.5">
          {regions.map((region) => (
            <button
              key={region}
              type="button"
              aria-pressed={region === value.region}
              onClick={() => onChange({ ...value, region })}
              className="min-h-6 rounded-tag px-1.5 text-13 text-fg-3 underline-offset-4 hover:text-fg aria-pressed:font-semibold aria-pressed:text-brand-text mobile:min-h-11 mobile:px-2"
            >
              {t(AUTH_REGION_TEXT[region])}
            </button>
          ))}
        </div>
      }
    />
  )
}
