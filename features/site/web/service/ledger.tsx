import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Leader } from '#ui/receipt.tsx'
import { siteServiceTexts } from '../../service-texts.ts'
import type { SoldService } from '../services.ts'
import { SITE_SVC_TEXT, SITE_SVC_BODY_TEXT, SITE_SVC_TIME_TEXT } from '../../service-state-texts.ts'

/** Services as receipt lines: name, description, duration. Each links to its explanation. */
export function Ledger({ list }: { readonly list: readonly SoldService[] }) {
  const t = useTexts(siteServiceTexts)
  return (
    <ul className="border-t-2 border-fg">
      {list.map(({ id, about }) => (
        <li
          key={id}
          className="grid items-baseline gap-x-6 gap-y-0.5 border-b border-line py-4 desktop:grid-cols-[minmax(0,220px)_minmax(0,1fr)_minmax(0,300px)]"
        >
          <h3 className="text-16 font-semibold">
            <Link to={about} className="link">
              {t(SITE_SVC_TEXT[id])}
            </Link>
          </h3>
          <p className="text-14 text-fg-2">{t(SITE_SVC_BODY_TEXT[id])}</p>
          <p className="receipt-row text-13 text-fg-3 mobile:mt-1">
            <Leader />
            <span className="min-w-0">{t(SITE_SVC_TIME_TEXT[id])}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
