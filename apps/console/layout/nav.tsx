import { Link, useLocation } from '@tanstack/react-router'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import { kitTexts, screens, useWorkCounts, useHasPermission, useSignedInOperator, useConsoleFormatter } from '#features/backoffice/console/index.tsx'
import type { NavigationGroup, ConsoleScreen } from '#features/backoffice/console/index.tsx'

const GROUP_TEXT = { models: 'group_models', system: 'group_system', desk: 'group_desk', services: 'group_services' } as const satisfies Record<
  NavigationGroup,
  keyof typeof kitTexts.zh
>

const GROUPS: readonly NavigationGroup[] = ['desk', 'models', 'services', 'system']

/** Navigation with the screens that the operator may see and their counts of waiting items. */
export function Nav() {
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
        {lang === 'zh' ? site.brandZh : site.brand}
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
