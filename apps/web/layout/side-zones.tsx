import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight, Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'
import { navZones, type NavLine, type NavZone } from '../zones/zones.ts'

/** The router marks links as current by path alone; two tabs of one page would both be. */
export const exactLinkOptions = { exact: true, includeSearch: true }
export const lineClass = 'flex min-h-9 items-center gap-2.5 rounded-control border px-3 text-14 no-underline'
export const idleLineClass = 'border-transparent text-fg-2 hover:text-fg'
export const currentLineClass = 'border-line bg-surface font-semibold text-fg'
/** Of the API's lines so many stand everywhere; the others behind one that says More. */
const API_LINES = 4

interface ZonesProps {
  readonly signedIn: boolean
  readonly isCurrent: (line: NavLine) => boolean
}

/** The API stays open, of the other zones the one that one is in; the others are a line that opens. Visitors have few lines and see them all. */
export function SideZones({ signedIn, isCurrent }: ZonesProps) {
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

/** The API where one is elsewhere. */
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
