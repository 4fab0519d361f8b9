import { FileText, Gift, Headset, KeyRound, LogOut, Mail, MessageSquareWarning, Phone, UserRound } from 'lucide-react'
import { useRouter } from '@tanstack/react-router'
import { useCurrentUser, useSignOut } from '#features/account/web/index.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { confirm } from '#ui/layers/confirm.ts'
import { Menu, type MenuItem } from '#ui/layers/menu.tsx'
import { contactSupport } from '../../overlays/contact.ts'
import { laterTexts } from '../../texts-later.ts'
import { shellTexts } from '../../texts.ts'

const icon = { 'size': 16, 'strokeWidth': 1.75, 'aria-hidden': true } as const

/** Account menu: settings, contact, sign out. Search, language and theme are beside it, on phones in the sheet. */
export function AccountMenu() {
  const t = useTexts(shellTexts)
  const later = useTexts(laterTexts)
  const router = useRouter()
  const me = useCurrentUser().data
  const signOut = useSignOut()
  const ask = async () => {
    if (await confirm({ title: later('signOutTitle'), body: later('signOutBody'), action: t('signOut') })) await signOut()
  }
  const name = me?.email ?? me?.mobile ?? ''
  const settings: readonly MenuItem[] = [
    { key: 'invite', label: t('invite'), icon: <Gift {...icon} />, onSelect: () => void router.navigate({ to: '/invite-record' }) },
    { key: 'account', label: t('settings'), icon: <UserRound {...icon} />, onSelect: () => void router.navigate({ to: '/account' }) },
    { key: 'phone', label: t('changePhone'), icon: <Phone {...icon} />, onSelect: () => openDialog('mobile') },
    {
      key: 'email',
      label: t('changeEmail'),
      icon: <Mail {...icon} />,
      onSelect: () => openDialog('email', { mode: me?.email && me.emailVerifyStatus === 1 ? 'update' : 'bind' }),
    },
    { key: 'password', label: t('changePassword'), icon: <KeyRound {...icon} />, onSelect: () => openDialog('password') },
    { key: 'invoice', label: later('applyInvoice'), icon: <FileText {...icon} />, onSelect: () => void router.navigate({ to: '/receipts' }) },
  ]
  return (
    <Menu
      header={name}
      groups={[
        settings,
        [
          { key: 'contact', label: t('contact'), icon: <Headset {...icon} />, onSelect: () => contactSupport() },
          { key: 'complaint', label: t('complaint'), icon: <MessageSquareWarning {...icon} />, onSelect: () => openDialog('complaint') },
        ],
        [{ key: 'out', label: t('signOut'), icon: <LogOut {...icon} />, onSelect: () => void ask() }],
      ]}
      trigger={
        <button type="button" className="icon-btn -mr-1" aria-label={t('account')} title={t('account')}>
          <span
            className="flex size-8 items-center justify-center rounded-full bg-brand-soft text-14 font-semibold text-brand-text uppercase"
            aria-hidden="true"
          >
            {getInitial(name)}
          </span>
        </button>
      }
    />
  )
}

/** First letter of the e-mail; a dot for users with a phone number, whose last digit would be meaningless. */
function getInitial(name: string): string {
  return /^[^\d+]/.exec(name)?.[0] ?? '\u00b7'
}
