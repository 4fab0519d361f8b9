import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import { FIELD_MAX, shortLine } from '../../contract.ts'
import { securityTexts } from '../../texts-security.ts'
import { FormError } from '../fields/form-error.tsx'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { profileApi } from '../security/api.ts'
import { reloadMe, type Me } from '../use-me.ts'
import { SettingsRow, SettingsRows } from './row.tsx'

const PRO_TEXT = { name: 'pro_name', firstName: 'pro_firstName', lastName: 'pro_lastName' } as const

const checkLine = (text: string) => (shortLine.safeParse(text).success ? undefined : 'field_line')

/** The names one wants to be called by, and the number that customer service asks for. */
export function ProfileSection({ me }: { readonly me: Me }) {
  const t = useTexts(securityTexts)
  const submit = useSubmit()
  const fields = useAccountFields(
    { name: me.name, firstName: me.firstName, lastName: me.lastName },
    { name: ({ name }) => checkLine(name), firstName: ({ firstName }) => checkLine(firstName), lastName: ({ lastName }) => checkLine(lastName) },
  )
  const onSubmit = fields.submit(async ({ name, firstName, lastName }) => {
    await submit.run(async () => {
      await profileApi.updateUserInfo({ name: name.trim() || null, firstName: firstName.trim() || null, lastName: lastName.trim() || null })
      await reloadMe()
      toast.success(t('saved'))
    })
  })
  return (
    <>
      <SettingsRows>
        <SettingsRow label={t('pro_id')} value={<span className="num">{me.id}</span>} action={<CopyButton text={me.id} label={t('pro_copy_id')} />} />
        <SettingsRow label={t('pro_since')} value={<Time at={me.createdAt} show="day" />} />
      </SettingsRows>
      <form {...fields.form} onSubmit={onSubmit} className="card mt-4 grid gap-4 p-5 desktop:grid-cols-2 mobile:p-4">
        {(['name', 'lastName', 'firstName'] as const).map((field) => {
          const { value, onChange, error } = fields.bind(field)
          return (
            <TextField
              key={field}
              fieldClassName={field === 'name' ? 'desktop:col-span-2' : ''}
              label={t(PRO_TEXT[field])}
              hint={field === 'name' ? t('pro_name_hint', { max: FIELD_MAX }) : undefined}
              autoComplete={{ name: 'nickname', firstName: 'given-name', lastName: 'family-name' }[field]}
              value={value}
              maxLength={200}
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
    </>
  )
}
