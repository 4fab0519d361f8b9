import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { CircleQuestionMark, Gift, MessageSquareText, UserRound, ChevronDown, ChevronRight, Ellipsis } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSupport } from '#platform/web/state/support.ts'
import { contactSupport } from '../overlays/contact.ts'
import { shellTexts } from '../texts.ts'
import { BrandLink } from './brand.tsx'
import { navLines, navZones } from '../zones/zones.ts'
import type { NavLine, NavZone } from '../zones/zones.ts'

/** The router compares paths only, so two tabs of one page would both count as current. */
const exactLinkOptions = { exact: true, includeSearch: true }
const lineClass = 'flex min-h-9 items-center gap-2.5 rounded-control border px-3 text-14 no-underline'
const idleLineClass = 'border-transparent text-fg-2 hover:text-fg'
const currentLineClass = 'border-line bg-surface font-semibold text-fg'
/** Number of API lines shown outside the API's pages; "More" shows the rest. */
const API_LINES = 4

interface ZonesProps {
  readonly signedIn: boolean
  readonly isCurrent: (line: NavLine) => boolean
}

/**
 * Keeps the API zone open, and the zone of the current page; each other zone is a line that opens. Visitors have few lines and see all of
 * them.
 */
function SideZones({ signedIn, isCurrent }: ZonesProps) {
  const shown = navZones.map((zone) => ({ ...zone, lines: zone.lines.filter((line) => signedIn || line.visitors) })).filter((zone) => zone.lines.length > 0)
  return shown.map((zone) => {
    const isHere = zone.lines.some(isCurrent)
    if (zone.id === 'view' && signedIn && !isHere) return <ShortZone key={zone.id} zone={zone} isCurrent={isCurrent} />
    if (zone.id === 'view' || isHere || !signedIn) return <OpenZone key={zone.id} zone={zone} isCurrent={isCurrent} />
    return <FoldedZone key={zone.id} zone={zone} isCurrent={isCurrent} />
  })
}

interface ZoneProps {
  readonly zone: NavZone
  readonly isCurrent: (line: NavLine) => boolean
}

function OpenZone({ zone, isCurrent }: ZoneProps) {
  const t = useTexts(shellTexts)
  return (
    <section aria-labelledby={`side-${zone.id}`} className="mb-2">
      <h2 id={`side-${zone.id}`} className="px-3 py-1.5 text-12 font-normal text-fg-3">
        {t(zone.text)}
      </h2>
      <ZoneLines zone={zone} isCurrent={isCurrent} />
    </section>
  )
}

/** The API zone on pages of other zones. */
function ShortZone({ zone, isCurrent }: ZoneProps) {
  const t = useTexts(shellTexts)
  const [all, setAll] = useState(false)
  return (
    <div>
      <OpenZone zone={all ? zone : { ...zone, lines: zone.lines.slice(0, API_LINES) }} isCurrent={isCurrent} />
      {all ? null : (
        <button type="button" aria-expanded="false" onClick={() => setAll(true)} className={`${lineClass} ${idleLineClass} -mt-1.5 mb-2 w-full text-left`}>
          <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('more')}
        </button>
      )}
    </div>
  )
}

function FoldedZone({ zone, isCurrent }: ZoneProps) {
  const t = useTexts(shellTexts)
  const [open, setOpen] = useState(false)
  const Mark = open ? ChevronDown : ChevronRight
  return (
    <section aria-label={t(zone.text)}>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={`${lineClass} ${idleLineClass} w-full text-left`}>
        <span className="min-w-0 flex-1">{t(zone.text)}</span>
        <Mark size={16} strokeWidth={1.75} aria-hidden="true" className="text-fg-3" />
      </button>
      {open ? <ZoneLines zone={zone} isCurrent={isCurrent} /> : null}
    </section>
  )
}

function ZoneLines({ zone, isCurrent }: ZoneProps) {
  const t = useTexts(shellTexts)
  return (
    <ul className="flex flex-col gap-0.5">
      {zone.lines.map((line) => {
        const current = isCurrent(line)
        return (
          <li key={line.id}>
            <Link
              activeOptions={exactLinkOptions}
              to={line.path}
              search={line.search ?? {}}
              aria-current={current ? 'page' : undefined}
              className={`${lineClass} ${current ? currentLineClass : idleLineClass}`}
            >
              <line.Icon size={16} strokeWidth={1.75} aria-hidden="true" />
              {t(line.text)}
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns a test for the current line: tabs share a path and differ by `tab`; a page without tabs includes its subpaths. */
function useIsCurrent(): (line: Pick<NavLine, 'path' | 'also' | 'search'>) => boolean {
  const { pathname } = useLocation()
  const { tab } = useSearch({ strict: false }) as { tab?: string }
  return ({ path, also = [], search }) => {
    const isAt = (one: string) => pathname === one || pathname.startsWith(`${one}/`)
    if (also.some(isAt)) return true
    return path === '/api' ? pathname === '/api' && (search?.['tab'] ?? 'view') === (tab ?? 'view') : isAt(path)
  }
}

export function ConsoleSideNav({ signedIn }: { readonly signedIn: boolean }) {
  const t = useTexts(shellTexts)
  const isCurrent = useIsCurrent()
  const account = isCurrent({ path: '/account' })
  const inviting = isCurrent({ path: '/invite-record' })
  return (
    <aside className="sticky top-0 flex h-screen flex-col border-r border-line bg-sunken px-3 pb-4">
      <div className="flex h-[60px] shrink-0 items-center px-3">
        <BrandLink />
      </div>
      <nav aria-label={t('navMain')} className="mt-1 flex min-h-0 flex-1 flex-col">
        <div className="-m-0.5 flex min-h-0 flex-1 flex-col overflow-y-auto p-0.5">
          <SideZones signedIn={signedIn} isCurrent={isCurrent} />
          {signedIn ? (
            <Link
              to="/invite-record"
              aria-current={inviting ? 'page' : undefined}
              className={`${lineClass} shrink-0 ${inviting ? currentLineClass : idleLineClass}`}
            >
              <Gift size={16} strokeWidth={1.75} aria-hidden="true" />
              {t('invite')}
            </Link>
          ) : null}
        </div>
        <div className="flex flex-col gap-0.5 pt-3">
          <SupportLine />
          <Link to="/help" className={`${lineClass} ${idleLineClass}`}>
            <CircleQuestionMark size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('helpCentre')}
          </Link>
          {signedIn ? (
            <Link to="/account" aria-current={account ? 'page' : undefined} className={`${lineClass} ${account ? currentLineClass : idleLineClass}`}>
              <UserRound size={16} strokeWidth={1.75} aria-hidden="true" />
              {t('settings')}
            </Link>
          ) : null}
        </div>
      </nav>
    </aside>
  )
}

/** Placed here rather than over the page, where it would cover columns; phones have the slip (features/support). */
function SupportLine() {
  const t = useTexts(shellTexts)
  const unread = useSupport((state) => state.unread)
  useEffect(() => {
    useSupport.setState({ hasPlace: true })
    return () => useSupport.setState({ hasPlace: false })
  }, [])
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={unread ? t('supportUnread', { count: unread }) : undefined}
      onClick={() => contactSupport()}
      className={`${lineClass} ${idleLineClass} w-full text-left`}
    >
      <MessageSquareText size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="min-w-0 flex-1">{t('support')}</span>
      {unread ? (
        <span className="num min-w-5 rounded-full bg-brand px-1.5 text-center text-12 leading-5 font-semibold text-on-brand">
          {unread > 99 ? '99+' : unread}
        </span>
      ) : null}
    </button>
  )
}

const me = { id: 'me', text: 'me', Icon: UserRound, path: '/account' } as const

/** Bottom tabs on mobile; visitors have one page only and need no bar. */
export function TabBar({ signedIn }: { readonly signedIn: boolean }) {
  const t = useTexts(shellTexts)
  const isCurrent = useIsCurrent()
  if (!signedIn) return null
  return (
    <nav aria-label={t('navMain')} className="fixed inset-x-0 bottom-0 z-100 border-t border-line bg-surface">
      <ul className="grid grid-flow-col auto-cols-fr">
        {[...navLines.filter((line) => line.thumb), me].map((line) => {
          const current = isCurrent(line)
          return (
            <li key={line.id}>
              <Link
                to={line.path}
                activeOptions={exactLinkOptions}
                search={'search' in line ? line.search : {}}
                aria-current={current ? 'page' : undefined}
                className={`flex min-h-14 flex-col items-center justify-center gap-0.5 px-1 text-center text-12 leading-4 no-underline -outline-offset-2 ${current ? 'font-semibold text-brand-text' : 'text-fg-2'}`}
              >
                <line.Icon size={20} strokeWidth={1.75} aria-hidden="true" />
                {t(line.text)}
              </Link>
            </li>
          )
        })}
      </ul>
      <div className="safe-bottom" />
    </nav>
  )
}
