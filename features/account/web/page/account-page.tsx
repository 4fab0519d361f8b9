import { Link, useSearch } from '@tanstack/react-router'
import { ChevronRight, Bell, Database, FileText, History, MonitorSmartphone, Palette, ShieldCheck, UserRound } from 'lucide-react'
import { useState } from 'react'
import type { ComponentType } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts, setLang, useLang } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { securityTexts } from '../../texts-security.ts'
import { useCurrentUser, reloadMe } from '../use-me.ts'
import type { Me } from '../use-me.ts'
import { DataSection } from './data-section.tsx'
import { HistorySection } from './history-section.tsx'
import { InvoiceSection } from './invoice-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { setTheme, THEMES, useTheme } from '#platform/web/theme.ts'
import type { Theme } from '#platform/web/theme.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import { profileApi } from '../security/api.ts'
import { useQueryClient } from '@tanstack/react-query'
import { SwitchField } from '#ui/fields/switch-field.tsx'
import { toast } from '#ui/layers/toast.ts'
import type { MailChoices } from '../../contract-profile.ts'
import { PREFERENCES, usePreferences } from './use-preferences.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { FIELD_MAX, shortLine } from '../../contract.ts'
import { FormError } from '../fields/submit-button.tsx'
import { useAccountFields } from '../fields/use-fields.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { SettingsEntry, SettingsEntries } from './row.tsx'
import { LANGS, LANGUAGES } from '#platform/shared/languages.ts'

const PRO_TEXT = { name: 'pro_name', firstName: 'pro_firstName', lastName: 'pro_lastName' } as const

const checkLine = (text: string) => (shortLine.safeParse(text).success ? undefined : 'field_line')

/** The user's names, and the id that customer service needs. */
function ProfileSection({ me }: { readonly me: Me }) {
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
      <SettingsEntries>
        <SettingsEntry label={t('pro_id')} value={<span className="num">{me.id}</span>} action={<CopyButton text={me.id} label={t('pro_copy_id')} />} />
        <SettingsEntry label={t('pro_since')} value={<Time at={me.createdAt} show="day" />} />
      </SettingsEntries>
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

const MAILS_TEXT = { loginAlert: 'mails_loginAlert', receipt: 'mails_receipt', balanceAlert: 'mails_balanceAlert', productNews: 'mails_productNews' } as const
const MAILS_NOTE_TEXT = {
  loginAlert: 'mails_loginAlert_note',
  receipt: 'mails_receipt_note',
  balanceAlert: 'mails_balanceAlert_note',
  productNews: 'mails_productNews_note',
} as const

const NAMES = ['loginAlert', 'receipt', 'balanceAlert', 'productNews'] as const

/** Mail switches, each saved immediately; a switch that cannot be saved reverts. */
function MailsSection() {
  const t = useTexts(securityTexts)
  const cache = useQueryClient()
  const preferences = usePreferences()
  const [moved, setMoved] = useState<Partial<MailChoices>>({})
  if (preferences.isError && !preferences.data) return <ErrorState error={preferences.error} onRetry={() => void preferences.refetch()} />
  if (!preferences.data) return <SkeletonRows rows={4} />
  const shown = { ...preferences.data.mails, ...moved }
  const move = async (name: keyof MailChoices, isOn: boolean) => {
    setMoved((old) => ({ ...old, [name]: isOn }))
    try {
      const mails = await profileApi.updateMailChoices({ [name]: isOn })
      cache.setQueryData<typeof preferences.data>(PREFERENCES, (old) => old && { ...old, mails })
    } catch (error) {
      toast.error(error instanceof Error ? error.message : String(error))
    } finally {
      setMoved(({ [name]: _, ...rest }) => rest)
    }
  }
  return (
    <>
      <div className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
        {NAMES.map((name) => (
          <SwitchField
            key={name}
            label={t(MAILS_TEXT[name])}
            hint={t(MAILS_NOTE_TEXT[name])}
            checked={shown[name]}
            onChange={(isOn) => void move(name, isOn)}
          />
        ))}
      </div>
      <p className="mt-3 text-13 text-fg-3">{t('mails_always')}</p>
    </>
  )
}

const LOOK_TEXT = { system: 'look_system', light: 'look_light', dark: 'look_dark' } as const satisfies Record<Theme, TextKeyOf<typeof securityTexts>>

/** Language and theme: applied immediately, and stored with the account for mails and other devices. */
function LookSection() {
  const t = useTexts(securityTexts)
  const lang = useLang()
  const theme = useTheme((state) => state.theme)
  // the choice applies on this device even if the server cannot be reached
  const tell = (change: { language: Lang } | { theme: Theme }) => void profileApi.updateUserInfo(change).catch(() => undefined)
  return (
    <div className="card divide-y divide-dashed divide-line px-5 mobile:px-4">
      <div className="flex flex-wrap items-center justify-between gap-3 py-3.5">
        <div className="text-14">
          <p className="font-medium">{t('look_language')}</p>
          <p className="text-13 text-fg-3">{t('look_language_note')}</p>
        </div>
        <Segmented
          label={t('look_language')}
          value={lang}
          onChange={(next: Lang) => {
            setLang(next)
            tell({ language: next })
          }}
          items={LANGS.map((value) => ({ value, label: LANGUAGES[value].name }))}
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3 py-3.5">
        <p className="text-14 font-medium">{t('look_theme')}</p>
        <Segmented
          label={t('look_theme')}
          value={theme}
          onChange={(next: Theme) => {
            setTheme(next)
            tell({ theme: next })
          }}
          items={THEMES.map((value) => ({ value, label: t(LOOK_TEXT[value]) }))}
        />
      </div>
    </div>
  )
}

/** Sections of /account in display order; each has an address: /account?section=security. */
const SECTIONS = [
  { id: 'profile', Icon: UserRound },
  { id: 'security', Icon: ShieldCheck },
  { id: 'sessions', Icon: MonitorSmartphone },
  { id: 'history', Icon: History },
  { id: 'look', Icon: Palette },
  { id: 'invoice', Icon: FileText },
  { id: 'mails', Icon: Bell },
  { id: 'data', Icon: Database },
] as const
type SectionId = (typeof SECTIONS)[number]['id']

function parseSectionId(text: string | undefined): SectionId | undefined {
  return SECTIONS.find((section) => section.id === text)?.id
}

const ACC_TEXT = {
  look: 'acc_look',
  history: 'acc_history',
  security: 'acc_security',
  profile: 'acc_profile',
  sessions: 'acc_sessions',
  invoice: 'acc_invoice',
  mails: 'acc_mails',
  data: 'acc_data',
} as const

const parts: Record<SectionId, ComponentType<{ readonly me: Me }>> = {
  profile: ProfileSection,
  security: SecuritySection,
  sessions: SessionsSection,
  history: HistorySection,
  look: LookSection,
  invoice: InvoiceSection,
  mails: MailsSection,
  data: DataSection,
}

/**
 * Account page: a list of sections beside the open one. On a phone the list and each section are separate pages, and the shell's arrow
 * leads back.
 */
export function AccountPage() {
  const t = useTexts(securityTexts)
  const mobile = useIsMobile()
  const asked = parseSectionId((useSearch({ strict: false }) as { section?: string }).section)
  const me = useCurrentUser()
  const open = asked ?? (mobile ? undefined : 'profile')
  const Part = open ? parts[open] : undefined
  useTitle(t(open ? ACC_TEXT[open] : 'acc_title'))
  return (
    <div className="max-w-[960px]">
      {mobile && open ? null : <h1 className="mb-6 text-20 font-bold mobile:mb-4">{t('acc_title')}</h1>}
      <div className="desktop:grid desktop:grid-cols-[200px_minmax(0,1fr)] desktop:gap-8">
        {mobile && open ? null : <SectionList open={open} me={me.data} />}
        {Part ? (
          <section aria-labelledby="account-section" className="min-w-0">
            {mobile ? (
              <h1 id="account-section" className="mb-4 text-20 font-bold">
                {t(ACC_TEXT[open!])}
              </h1>
            ) : (
              <h2 id="account-section" className="mb-4 text-18 font-bold">
                {t(ACC_TEXT[open!])}
              </h2>
            )}
            {me.data ? <Part me={me.data} /> : me.isError ? <ErrorState error={me.error} onRetry={() => void me.refetch()} /> : <SkeletonRows rows={4} />}
          </section>
        ) : null}
      </div>
    </div>
  )
}

function SectionList({ open, me }: { readonly open: SectionId | undefined; readonly me: Me | undefined }) {
  const t = useTexts(securityTexts)
  const mobile = useIsMobile()
  const warned = me && (!me.password || me.emailVerifyStatus === 0)
  return (
    <nav aria-label={t('acc_nav')}>
      <ul className="flex flex-col desktop:gap-0.5 mobile:divide-y mobile:divide-line mobile:rounded-card mobile:border mobile:border-line mobile:bg-surface">
        {SECTIONS.map(({ id, Icon }) => (
          <li key={id}>
            <Link
              to="/account"
              search={{ section: id }}
              aria-current={id === open ? 'page' : undefined}
              className={`flex items-center gap-3 text-14 no-underline desktop:min-h-10 desktop:rounded-control desktop:border desktop:px-3 mobile:min-h-14 mobile:px-4 ${id === open ? 'border-line bg-surface font-semibold' : 'border-transparent text-fg-2 hover:text-fg mobile:text-fg'}`}
            >
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
              <span className="flex-1">{t(ACC_TEXT[id])}</span>
              {id === 'security' && warned ? (
                <span className="size-2 rounded-full bg-warning" role="img" aria-label={t('acc_todo')} title={t('acc_todo')} />
              ) : null}
              {mobile ? <ChevronRight size={18} strokeWidth={1.75} aria-hidden="true" className="text-fg-3" /> : null}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
