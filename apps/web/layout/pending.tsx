import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'

/** Shown while a page's code is loading, after 300 ms. */
export function PagePending() {
  const t = useTexts(shellTexts)
  return (
    <div role="status" className="flex min-h-[60vh] items-center justify-center gap-2.5 text-14 text-fg-3">
      <span className="spinner" aria-hidden="true" />
      {t('loading')}
    </div>
  )
}
