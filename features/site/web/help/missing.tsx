import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { helpTexts } from '../../help-texts.ts'
import { HelpLink } from '../prose/inlines.tsx'

/** Page for an unknown address below /help. */
export function MissingArticle() {
  const t = useTexts(helpTexts)
  useTitle(t('missingTitle'))
  return (
    <div className="wrap-1200 py-16">
      <h1 className="sr-only">{t('missingTitle')}</h1>
      <EmptyState
        title={t('missingTitle')}
        body={t('missingBody')}
        action={
          <HelpLink href="/help" className={getButtonClass('primary')}>
            {t('missingBack')}
          </HelpLink>
        }
      />
    </div>
  )
}
