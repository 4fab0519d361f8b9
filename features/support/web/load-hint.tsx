import { TriangleAlert, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { supportPageTexts } from '../texts.ts'

/** Shown if the vendor's script fails to load: another contact, and a retry. */
export function LoadHint({ onRetry, onClose }: { readonly onRetry: () => void; readonly onClose: () => void }) {
  const t = useTexts(supportPageTexts)
  const retry = useRef<HTMLButtonElement>(null)
  // The clicked launcher is gone: keep the keyboard focus here.
  useEffect(() => {
    if (document.activeElement === document.body) retry.current?.focus()
  }, [])
  return (
    <aside
      aria-label={t('title')}
      className="fixed right-5 bottom-6 z-2500 w-[min(380px,calc(100vw-40px))] rounded-card border border-line bg-surface p-4 shadow-dialog"
    >
      <div role="alert" className="flex items-start gap-2.5 text-14">
        <TriangleAlert size={18} strokeWidth={1.75} className="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
        <p className="min-w-0 flex-1">{t('load_failed', { email: site.supportEmail })}</p>
        <button type="button" className="icon-btn -mt-2 -mr-2 shrink-0" aria-label={t('load_dismiss')} title={t('load_dismiss')} onClick={onClose}>
          <X size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <div className="mt-3 flex justify-end gap-2">
        <a className={getButtonClass('secondary', 'sm')} href={`mailto:${site.supportEmail}`}>
          {t('mail_us')}
        </a>
        <Button ref={retry} size="sm" onClick={onRetry}>
          {t('retry')}
        </Button>
      </div>
    </aside>
  )
}
