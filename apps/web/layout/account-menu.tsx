import { Languages, LogOut, Mail } from 'lucide-react'
import { useMe, useSignOut } from '#features/account/web/index.tsx'
import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { confirm } from '#ui/confirm.ts'
import { Menu } from '#ui/menu.tsx'
import { shellTexts } from '../texts.ts'
import { useThemeItems } from './theme-menu.tsx'

/** The person: e-mail, contact, sign out; on mobile also language and theme. */
export function AccountMenu({ withSettings }: { readonly withSettings: boolean }) {
  const t = useTexts(shellTexts)
  const lang = useLang()
  const email = useMe().data?.email
  const signOut = useSignOut()
  const themes = useThemeItems()
  const ask = async () => {
    if (await confirm({ title: t('signOutTitle'), body: t('signOutBody'), action: t('signOut') })) await signOut()
  }
  const other = lang === 'zh' ? 'en' : 'zh'
  const settings = [
    [
      {
        key: 'lang',
        label: t(other === 'en' ? 'toEn' : 'toZh'),
        icon: <Languages size={16} strokeWidth={1.75} aria-hidden="true" />,
        onSelect: () => setLang(other),
      },
    ],
    themes,
  ]
  return (
    <Menu
      header={email}
      groups={[
        ...(withSettings ? settings : []),
        [
          {
            key: 'contact',
            label: t('contact'),
            icon: <Mail size={16} strokeWidth={1.75} aria-hidden="true" />,
            onSelect: () => {
              location.href = `mailto:${site.supportEmail}`
            },
          },
          { key: 'out', label: t('signOut'), icon: <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />, onSelect: () => void ask() },
        ],
      ]}
      trigger={
        <button type="button" className="icon-btn -mr-1" aria-label={t('account')} title={t('account')}>
          <span
            className="flex size-8 items-center justify-center rounded-full bg-brand-soft text-14 font-semibold text-brand-text uppercase"
            aria-hidden="true"
          >
            {email?.[0] ?? '·'}
          </span>
        </button>
      }
    />
  )
}
