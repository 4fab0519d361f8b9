import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../../texts.ts'
import { navZones, type NavLine } from '../../zones/zones.ts'

/** Open menu of services: zones side by side, in as many columns as fit. */
export function ServicesPanel() {
  const t = useTexts(shellTexts)
  return (
    <>
      <div className="columns-[240px] gap-4 [column-rule:1px_solid_var(--color-line)]">
        {navZones.map((zone) => (
          <section key={zone.id} aria-labelledby={`zone-${zone.id}`} className="break-inside-avoid">
            <h2 id={`zone-${zone.id}`} className="px-3 pt-2 pb-1 text-12 font-medium text-fg-3">
              {t(zone.text)}
            </h2>
            <ul>
              {zone.lines.map((line) => (
                <li key={line.id}>
                  <LineLink line={line} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className="mt-1 border-t border-dashed border-line pt-1">
        <Link
          to="/service"
          className="flex min-h-10 items-center justify-between rounded-control px-3 text-13 text-fg-2 no-underline hover:bg-sunken hover:text-fg"
        >
          {t('allServices')}
          <ArrowRight size={14} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      </div>
    </>
  )
}

function LineLink({ line }: { readonly line: NavLine }) {
  const t = useTexts(shellTexts)
  return (
    <Link to={line.path} search={line.search ?? {}} className="group flex items-start gap-3 rounded-control p-3 no-underline hover:bg-sunken">
      <span className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-control border border-line text-fg-2 group-hover:border-control group-hover:text-brand-text">
        <line.Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span className="min-w-0">
        <span className="block text-14 font-semibold">{t(line.text)}</span>
        <span className="block text-13 text-fg-3">{t(line.note)}</span>
      </span>
    </Link>
  )
}
