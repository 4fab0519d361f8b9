import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { Leader } from '#ui/receipt.tsx'
import { siteTexts } from '../../texts.ts'
import type { Service } from '../services.ts'

/** Services as lines of a till list: name, what it does, how long it takes, whether it is open. */
export function Ledger({ list }: { readonly list: readonly Service[] }) {
  const t = useTexts(siteTexts)
  return (
    <ul className="border-t-2 border-fg">
      {list.map(({ id, to }) => (
        <li
          key={id}
          className="grid items-baseline gap-x-6 gap-y-0.5 border-b border-line py-4 desktop:grid-cols-[minmax(0,220px)_minmax(0,1fr)_minmax(0,300px)]"
        >
          <h3 className="text-16 font-semibold">
            {to ? (
              <Link to={to} className="link">
                {t(`svc_${id}`)}
              </Link>
            ) : (
              t(`svc_${id}`)
            )}
          </h3>
          <p className="text-14 text-fg-2">{t(`svc_${id}_body`)}</p>
          <p className="receipt-row text-13 text-fg-3 mobile:mt-1">
            <span className="min-w-0">{t(`svc_${id}_time`)}</span>
            <Leader />
            <span className={`shrink-0 ${to ? 'text-brand-text' : 'text-fg-2'}`}>{to ? t('svc_open') : t('svc_soon')}</span>
          </p>
        </li>
      ))}
    </ul>
  )
}
