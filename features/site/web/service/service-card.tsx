import { Link } from '@tanstack/react-router'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClass } from '#ui/button.tsx'
import { firstTexts } from '../../first-texts.ts'
import { siteTexts } from '../../texts.ts'
import type { Service } from '../services.ts'

/** An independent service: its button leads in, past the sign-in for visitors. */
export function ServiceCard({ service }: { readonly service: Service }) {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  const signedIn = useSignedIn()
  const { id, to, action } = service
  const word = action ? t(action) : ''
  return (
    <article className={`card flex flex-col p-6 mobile:p-5 ${to ? '' : 'bg-transparent'}`}>
      <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 text-20">
        {t(`svc_${id}`)}
        {to ? <Badge tone="brand">{t('svc_open')}</Badge> : <Badge>{t('svc_soon')}</Badge>}
      </h3>
      <p className="mt-2 flex-1 text-fg-2">{t(`svc_${id}_body`)}</p>
      {to ? (
        <p className="mt-5 flex flex-wrap gap-3">
          {signedIn ? (
            <Link to={to} className={buttonClass('primary')}>
              {word}
            </Link>
          ) : (
            <button type="button" className={buttonClass('primary')} onClick={() => openDialog('auth', { mode: 'login', redirect: to })}>
              {word}
            </button>
          )}
          <Link to="/pricing" className={buttonClass('secondary')}>
            {f('hero_prices')}
          </Link>
        </p>
      ) : null}
    </article>
  )
}
