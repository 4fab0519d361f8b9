import type { TextKeyOf } from '#platform/shared/texts.ts'
import { lazy, Suspense, useEffect, useState, useRef } from 'react'
import type { ReactNode } from 'react'
import { Outlet, useLocation, useRouter, Link } from '@tanstack/react-router'
import { useTexts, useLang, setLang } from '#platform/web/i18n.ts'
import { useSignedIn, endSession } from '#platform/web/state/session.ts'
import { useConfirmStore } from '#ui/layers/confirm.ts'
import { useToastStore, toast } from '#ui/layers/toast.ts'
import {
  CommandHosts,
  kitTexts,
  UndoBar,
  useSignedInOperator,
  screens,
  useConsoleKeys,
  useHasPermission,
  useWorkCounts,
  useConsoleFormatter,
  createConsoleApi,
} from '#features/backoffice/console/index.tsx'
import type { NavigationGroup, ConsoleScreen } from '#features/backoffice/console/index.tsx'
import { Door } from './door.tsx'
import { Menu as MenuIcon, X, Wrench, KeyRound, Keyboard, Languages, LogOut, Moon, Sun } from 'lucide-react'
import { useIsMobile } from '#platform/web/device.ts'
import { isUncertain } from '#platform/web/calls/api-error.ts'
import { openKeysDialog, useKeysDialog } from './keys-open.ts'
import { site } from '#platform/web/site.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import { accessContract } from '#features/backoffice/contract.console.ts'
import { setTheme, useTheme } from '#platform/web/theme.ts'
import { displayTime } from '#platform/web/time.tsx'
import { LazyMenu } from '#ui/layers/lazy-menu.tsx'
import { GlobalSearch } from './global-search.tsx'
import { chooseBrand, LANGUAGES, nextLang } from '#platform/shared/languages.ts'

const STAGE_TEXT = { production: 'stage_production', qa: 'stage_qa', development: 'stage_development' } as const

const api = createConsoleApi({ signOut: accessContract.signOut })

/** Top bar: search, the current page, Beijing time, and the operator's menu. */
function OperatorTopBar({ menu }: { readonly menu: ReactNode }) {
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
          { key: 'lang', label: LANGUAGES[nextLang(lang)].name, icon: <Languages {...icon} />, onSelect: () => setLang(nextLang(lang)) },
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

const GROUP_TEXT = { models: 'group_models', system: 'group_system', desk: 'group_desk', services: 'group_services' } as const satisfies Record<
  NavigationGroup,
  TextKeyOf<typeof kitTexts>
>

const GROUPS: readonly NavigationGroup[] = ['desk', 'models', 'services', 'system']

/** Navigation with the screens that the operator may see and their counts of waiting items. */
function Nav() {
  const t = useTexts(kitTexts)
  const say = useConsoleFormatter()
  const lang = useLang()
  const may = useHasPermission()
  const counts = useWorkCounts()
  const { data: me } = useSignedInOperator()
  const { pathname } = useLocation()
  const seen = screens.filter(({ nav, permission }) => nav && may(permission))
  const isHere = ({ path }: ConsoleScreen) => (path === '/' ? pathname === '/' : pathname === path || pathname.startsWith(`${path}/`))
  return (
    <>
      <p className="flex h-12 shrink-0 items-center gap-2 px-4 text-14 font-bold text-ink-fg mobile:-mt-12 mobile:pr-16">
        <BrandMark className="h-5 w-[18px]" />
        {chooseBrand(lang, site)}
        <span className="font-normal text-ink-fg-3">{t('appName')}</span>
      </p>
      <nav aria-label={t('navMain')} className="min-h-0 flex-1 overflow-y-auto px-2 py-1">
        {GROUPS.map((group) => {
          const own = seen.filter(({ nav }) => nav!.group === group)
          if (!own.length) return null
          return (
            <section key={group} aria-label={t(GROUP_TEXT[group])} className="mb-3">
              {group === 'desk' ? null : <p className="px-2.5 pt-1 pb-1.5 text-12 text-ink-fg-3">{t(GROUP_TEXT[group])}</p>}
              {own.map((screen) => {
                const { icon: Icon, count } = screen.nav!
                const here = isHere(screen)
                const n = count === undefined ? undefined : counts[count]
                return (
                  <Link
                    key={screen.path}
                    to={screen.path}
                    aria-current={here ? 'page' : undefined}
                    className={`flex h-8 items-center gap-2.5 rounded-control px-2.5 text-13 no-underline mobile:h-11 mobile:text-14 ${here ? 'bg-ink-2 font-semibold text-ink-fg' : 'text-ink-fg-2 hover:text-ink-fg'}`}
                  >
                    <Icon size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                    <span className="min-w-0 flex-1 truncate">{t(screen.title)}</span>
                    {n ? <span className={`num text-12 ${here ? 'text-ink-accent' : 'text-ink-fg-3'}`}>{n}</span> : null}
                  </Link>
                )
              })}
            </section>
          )
        })}
      </nav>
      {me ? (
        <div className="shrink-0 px-4 py-3 text-12 text-ink-fg-3">
          <p className="truncate text-ink-fg-2">
            {me.name} <span className="text-ink-fg-3">{me.roles.map((role) => say.role(role)).join(t('comma'))}</span>
          </p>
          <p>{t('idleNote')}</p>
        </div>
      ) : null}
    </>
  )
}

const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((module) => ({ default: module.KeysDialog })))
const PAIR_MS = 1_500

/** `?` shows all shortcuts; G and a letter opens a screen. */
function ShortcutKeys() {
  const router = useRouter()
  const may = useHasPermission()
  const went = useRef(0)
  const ways = screens.filter((screen) => screen.key && may(screen.permission))
  const isGoing = () => Date.now() - went.current < PAIR_MS
  useConsoleKeys({
    '?': openKeysDialog,
    'g': () => {
      went.current = Date.now()
    },
    ...Object.fromEntries(
      ways.map((screen) => [
        screen.key!,
        () => {
          if (!isGoing()) return false
          went.current = 0
          return router.navigate({ to: screen.path })
        },
      ]),
    ),
  })
  const isOpen = useKeysDialog((state) => state.isOpen)
  return <Suspense>{isOpen ? <KeysDialog /> : null}</Suspense>
}

/** Shown while the server does not respond: loaded data stays visible, and requests are repeated automatically. */
function ServerStrip() {
  const t = useTexts(kitTexts)
  const { error } = useSignedInOperator()
  if (!error || !isUncertain(error)) return null
  return (
    <div role="status" className="flex items-center gap-2 border-b border-line bg-surface px-5 py-1.5 text-13">
      <Wrench size={14} strokeWidth={1.75} className="shrink-0 text-warning" aria-hidden="true" />
      <strong className="font-semibold">{t('maintenance')}</strong>
      <span className="text-fg-2">{t('maintenanceBody')}</span>
    </div>
  )
}

/** Dark navigation at the left, one bar above, and the screen, which scrolls on its own. */
function OperatorFrame({ children }: { readonly children: ReactNode }) {
  const t = useTexts(kitTexts)
  const mobile = useIsMobile()
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="flex h-dvh overflow-hidden">
      {mobile ? (
        isOpen ? (
          <div className="on-ink fixed inset-0 z-50 flex flex-col bg-ink">
            <div className="flex h-12 items-center justify-end px-2">
              <button type="button" aria-label={t('close')} title={t('close')} className="icon-btn" onClick={() => setOpen(false)}>
                <X size={20} strokeWidth={1.75} aria-hidden="true" />
              </button>
            </div>
            <Nav />
          </div>
        ) : null
      ) : (
        <aside aria-label={t('appName')} className="on-ink flex w-[188px] shrink-0 flex-col bg-ink">
          <Nav />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <OperatorTopBar
          menu={
            mobile ? (
              <button type="button" aria-label={t('openNav')} title={t('openNav')} className="icon-btn" onClick={() => setOpen(true)}>
                <MenuIcon size={20} strokeWidth={1.75} aria-hidden="true" />
              </button>
            ) : null
          }
        />
        <ServerStrip />
        <main id="main" tabIndex={-1} className="min-h-0 flex-1 bg-bg">
          {children}
        </main>
        <UndoBar />
      </div>
      <ShortcutKeys />
    </div>
  )
}

const ConfirmHost = lazy(() => import('#ui/layers/confirm-host.tsx').then((module) => ({ default: module.ConfirmHost })))
const ToastHost = lazy(() => import('#ui/layers/toast-host.tsx').then((module) => ({ default: module.ToastHost })))

/** Root of the operators' app: the sign-in at any address without a session, else the frame with the screen. */
export function OperatorRootLayout() {
  const t = useTexts(kitTexts)
  const signedIn = useSignedIn()
  const { pathname } = useLocation()
  const hasConfirm = useConfirmStore((state) => state.used)
  const hasToast = useToastStore((state) => state.toast !== undefined)
  return (
    <>
      <a href="#main" className="sr-only z-3100 rounded-control bg-fg px-4 py-2 text-14 text-bg focus:not-sr-only focus:fixed focus:top-2 focus:left-2">
        {t('skip')}
      </a>
      <Suspense>
        {pathname === '/invite' ? (
          <Outlet />
        ) : signedIn ? (
          <OperatorFrame>
            <Outlet />
          </OperatorFrame>
        ) : (
          <Door />
        )}
      </Suspense>
      <CommandHosts />
      <Suspense>
        {hasConfirm ? <ConfirmHost /> : null}
        {hasToast ? <ToastHost /> : null}
      </Suspense>
    </>
  )
}
