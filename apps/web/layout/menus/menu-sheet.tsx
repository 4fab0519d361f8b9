import { Link } from '@tanstack/react-router'
import { CircleQuestionMark, Mail, Search, X } from 'lucide-react'
import { useId } from 'react'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { site } from '#platform/web/site.ts'
import { Button } from '#ui/button.tsx'
import { NativeLayer } from '#ui/layers/native-layer.tsx'
import { shellTexts } from '../../texts.ts'
import { BrandLink } from '../brand.tsx'
import { navZones } from '../../zones/zones.ts'
import { LangChoice } from '../../choices/lang-switch.tsx'
import { ThemeChoice } from '../../choices/theme-choice.tsx'

const row = 'flex min-h-12 items-center gap-3 text-16 no-underline'

/** A sheet over the whole page with the services by zone, help, language and theme. */
export function MenuSheet({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(shellTexts)
  const id = useId()
  const signedIn = useSignedIn()
  return (
    <NativeLayer labelledBy={id} onClose={onClose} className="bg-bg text-fg">
      <div className="flex min-h-full flex-col" onClick={(event) => (event.target as Element).closest('a') && onClose()}>
        <div className="wrap-1200 flex h-[60px] shrink-0 items-center justify-between border-b border-line">
          <BrandLink />
          <h2 id={id} className="sr-only">
            {t('menu')}
          </h2>
          <button type="button" className="icon-btn -mr-2.5" aria-label={t('close')} title={t('close')} onClick={onClose}>
            <X size={20} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
        <nav aria-label={t('menu')} className="wrap-1200 flex-1 py-4">
          <button
            type="button"
            onClick={() => {
              onClose()
              openDialog('palette')
            }}
            className="mb-5 flex min-h-11 w-full items-center gap-2.5 rounded-control border border-line bg-surface px-3 text-14 text-fg-3"
          >
            <Search size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('search')}
          </button>
          <Zones id={id} />
          <Support />
          <div className="mt-6 flex flex-wrap items-center justify-between gap-3">
            <ThemeChoice />
            <LangChoice />
          </div>
        </nav>
        {signedIn ? null : (
          <div className="wrap-1200 sticky bottom-0 border-t border-line bg-bg py-4">
            <Button
              size="lg"
              block
              onClick={() => {
                onClose()
                openDialog('auth', { mode: 'login' })
              }}
            >
              {t('signIn')}
            </Button>
            <div className="safe-bottom" />
          </div>
        )}
      </div>
    </NativeLayer>
  )
}

function Zones({ id }: { readonly id: string }) {
  const t = useTexts(shellTexts)
  return navZones.map((zone) => (
    <section key={zone.id} aria-labelledby={`${id}-${zone.id}`} className="mb-4">
      <h3 id={`${id}-${zone.id}`} className="pb-1 text-13 font-medium text-fg-3">
        {t(zone.text)}
      </h3>
      <ul className="divide-y divide-line border-y border-line">
        {zone.lines.map((line) => (
          <li key={line.id}>
            <Link to={line.path} search={line.search ?? {}} className={row}>
              <line.Icon size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
              <span className="shrink-0">{t(line.text)}</span>
              <span className="min-w-0 flex-1 truncate text-right text-13 text-fg-3">{t(line.note)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function Support() {
  const t = useTexts(shellTexts)
  return (
    <>
      <h3 className="pb-1 text-13 font-medium text-fg-3">{t('footSupport')}</h3>
      <ul className="divide-y divide-line border-y border-line">
        <li>
          <Link to="/help" className={row}>
            <CircleQuestionMark size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
            {t('helpCentre')}
          </Link>
        </li>
        <li>
          <a href={`mailto:${site.supportEmail}`} className={row}>
            <Mail size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
            <span className="shrink-0">{t('contact')}</span>
            <span className="min-w-0 flex-1 truncate text-right text-13 text-fg-3">{site.supportEmail}</span>
          </a>
        </li>
      </ul>
    </>
  )
}
