import { useRouter } from '@tanstack/react-router'
import { KeyRound, Keyboard, Languages, LogOut, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { accessContract } from '#features/backoffice/contract.console.ts'
import { createConsoleApi, kitTexts, useSignedInOperator, useConsoleFormatter } from '#features/backoffice/console/index.tsx'
import { setLang, useLang, useTexts } from '#platform/web/i18n.ts'
import { endSession } from '#platform/web/state/session.ts'
import { site } from '#platform/web/site.ts'
import { setTheme, useTheme } from '#platform/web/theme.ts'
import { displayTime } from '#platform/web/time.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { toast } from '#ui/layers/toast.ts'
import { GlobalSearch } from './global-search.tsx'
import { openKeysDialog } from './keys-open.ts'

const STAGE_TEXT = { production: 'stage_production', qa: 'stage_qa', development: 'stage_development' } as const

const api = createConsoleApi({ signOut: accessContract.signOut })

/** One search, where one is, what time it is in Beijing, and one's own menu. */
export function OperatorTopBar({ menu }: { readonly menu: ReactNode }) {
  const t = useTexts(kitTexts)
  return (
    <header className="flex h-12 shrink-0 items-center gap-4 border-b border-line bg-bg px-5 mobile:gap-1 mobile:px-2">
      {menu}
      <GlobalSearch />
      <div className="ml-auto flex items-center gap-3.5">
        <span
          className={`rounded-tag px-2 text-12 font-semibold mobile:hidden ${site.stage === 'production' ? 'bg-fg text-bg' : 'border border-control text-fg-2'}`}
        >
          {t(STAGE_TEXT[site.stage])}
        </span>
        <Clock />
        <OwnMenu />
      </div>
    </header>
  )
}

function Clock() {
  const t = useTexts(kitTexts)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="text-13 whitespace-nowrap text-fg-2 mobile:hidden">
      <span className="num">{displayTime(now).slice(5)}</span> {t('beijing')}
    </p>
  )
}

function OwnMenu() {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const router = useRouter()
  const lang = useLang()
  const dark = useTheme(({ theme }) => theme) !== 'light'
  const { data: me } = useSignedInOperator()
  const icon = { 'size': 16, 'strokeWidth': 1.75, 'aria-hidden': true } as const
  const leave = async () => {
    await api.signOut().catch(() => undefined)
    endSession('signedOut')
    toast.success(t('signedOut'))
  }
  return (
    <LazyMenu
      trigger={
        <button type="button" aria-label={t('operatorMenu')} className="flex items-center justify-center rounded-full mobile:size-11">
          <span className="flex size-7 items-center justify-center rounded-full bg-brand-soft text-13 font-semibold text-brand-text">
            {[...(me?.name ?? '')][0]?.toUpperCase() ?? ''}
          </span>
        </button>
      }
      header={
        me ? (
          <>
            <p className="font-semibold text-fg">{me.name}</p>
            <p>{me.roles.map((role) => say.role(role)).join(t('comma'))}</p>
          </>
        ) : undefined
      }
      groups={[
        [{ key: 'own', label: t('ownLogin'), icon: <KeyRound {...icon} />, onSelect: () => void router.navigate({ to: '/me' }) }],
        [
          { key: 'lang', label: t('otherLanguage'), icon: <Languages {...icon} />, onSelect: () => setLang(lang === 'zh' ? 'en' : 'zh') },
          {
            key: 'theme',
            label: t(dark ? 'lightTheme' : 'darkTheme'),
            icon: dark ? <Sun {...icon} /> : <Moon {...icon} />,
            onSelect: () => setTheme(dark ? 'light' : 'dark'),
          },
          { key: 'keys', label: t('allKeys'), icon: <Keyboard {...icon} />, onSelect: openKeysDialog },
        ],
        [{ key: 'out', label: t('signOut'), icon: <LogOut {...icon} />, onSelect: () => void leave() }],
      ]}
    />
  )
}
