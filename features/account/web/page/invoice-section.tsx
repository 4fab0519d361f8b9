import { useQueryClient } from '@tanstack/react-query'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { FIELD_MAX, invoiceLine, invoiceName } from '../../contract.ts'
import { invoiceDetails, type InvoiceDetails } from '../../contract-profile.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/submit-button.tsx'
import type { AccountTextKey } from '../fields/rules.ts'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { profileApi } from '../security/api.ts'
import { PREFERENCES, usePreferences } from './use-preferences.ts'

const INV_TEXT = {
  state: 'inv_state',
  city: 'inv_city',
  postalCode: 'inv_postalCode',
  country: 'inv_country',
  email: 'inv_email',
  userName: 'inv_userName',
  addressLine: 'inv_addressLine',
} as const

type Field = keyof InvoiceDetails
const FIELDS: readonly { readonly name: Field; readonly autoComplete: string; readonly wide?: boolean }[] = [
  { name: 'userName', autoComplete: 'name' },
  { name: 'email', autoComplete: 'email' },
  { name: 'country', autoComplete: 'country-name' },
  { name: 'state', autoComplete: 'address-level1' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'postalCode', autoComplete: 'postal-code' },
  { name: 'addressLine', autoComplete: 'street-address', wide: true },
]
const EMPTY: InvoiceDetails = { userName: '', email: '', country: '', state: '', city: '', addressLine: '', postalCode: '' }

/** Required, at most 50, names of letters and spaces: the contract's rules with a message for each. */
function buildFieldRule(field: Field): (values: InvoiceDetails) => AccountTextKey | undefined {
  return (values) => {
    const text = values[field]
    if (text.trim() === '') return 'field_required'
    if ([...text.trim()].length > FIELD_MAX) return 'field_max'
    if (field === 'userName') return invoiceName.safeParse(text).success ? undefined : 'field_letters'
    if (field === 'email') return invoiceDetails.shape.email.safeParse(text).success ? undefined : 'auth_email_invalid'
    return invoiceLine.safeParse(text).success ? undefined : 'field_line'
  }
}
const rules = Object.fromEntries(FIELDS.map(({ name }) => [name, buildFieldRule(name)])) as Record<Field, ReturnType<typeof buildFieldRule>>

/** Invoice details, stored once and prefilled into every invoice form. */
export function InvoiceSection() {
  const preferences = usePreferences()
  if (preferences.isError && !preferences.data) return <ErrorState error={preferences.error} onRetry={() => void preferences.refetch()} />
  if (!preferences.data) return <SkeletonRows rows={5} />
  return <InvoiceForm initial={preferences.data.invoice ?? EMPTY} />
}

function InvoiceForm({ initial }: { readonly initial: InvoiceDetails }) {
  const t = useTexts(securityTexts)
  const cache = useQueryClient()
  const submit = useSubmit()
  const fields = useAccountFields(initial, rules)
  const onSubmit = fields.submit(async (values) => {
    await submit.run(async () => {
      await profileApi.updateInvoiceDetails(values)
      await cache.invalidateQueries({ queryKey: PREFERENCES })
      toast.success(t('saved'))
    })
  })
  return (
    <form {...fields.form} onSubmit={onSubmit} className="card grid gap-4 p-5 desktop:grid-cols-2 mobile:p-4">
      <p className="text-14 text-fg-2 desktop:col-span-2">{t('inv_lead')}</p>
      {FIELDS.map(({ name, autoComplete, wide }) => {
        const { value, onChange, error } = fields.bind(name)
        return (
          <TextField
            key={name}
            fieldClassName={wide ? 'desktop:col-span-2' : ''}
            label={t(INV_TEXT[name])}
            autoComplete={autoComplete}
            inputMode={name === 'email' ? 'email' : undefined}
            value={value}
            maxLength={300}
            onChange={(event) => onChange(event.target.value)}
            error={error}
          />
        )
      })}
      <div className="desktop:col-span-2">
        <FormError message={submit.failure?.message} />
      </div>
      <div className="desktop:col-span-2">
        <Button type="submit" loading={submit.isRunning} className="mobile:w-full">
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
