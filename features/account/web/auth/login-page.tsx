import { Link, useLocation, useSearch } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { accountTexts } from '../../texts.ts'
import { setDraft, useAuthDraft } from './draft.ts'
import { LazyAuthPanel, LazyAuthSide } from './lazy-panel.ts'
import { ACCOUNT_AUTH_TITLE_TEXT } from '../../state-texts.ts'

/** Sign-in page, shown for every private address without a session; `?mode=register` or `reset` opens that form. */
export function LoginPage() {
  const t = useTexts(accountTexts)
  const mode = useAuthDraft((draft) => draft.mode)
  const asked = (useSearch({ strict: false }) as { mode?: string }).mode
  // after an invalid link the page explains it and does not require a sign-in to continue
  const missing = (useLocation().state as { missing?: boolean }).missing === true
  const mobile = useIsMobile()
  useEffect(() => {
    if (asked === 'register' || asked === 'reset' || asked === 'login') setDraft({ mode: asked })
  }, [asked])
  useTitle(t(ACCOUNT_AUTH_TITLE_TEXT[mode]))
  return (
    <div className="mx-auto w-full max-w-[808px] px-6 py-16 mobile:px-5 mobile:py-8">
      <div className="desktop:grid desktop:grid-cols-[300px_minmax(0,1fr)] desktop:overflow-hidden desktop:rounded-dialog desktop:border desktop:border-line desktop:bg-surface">
        {mobile ? null : (
          <Suspense fallback={<div className="bg-ink" />}>
            <LazyAuthSide />
          </Suspense>
        )}
        <div className="desktop:p-8">
          <h1 className="text-28 font-bold">{t(ACCOUNT_AUTH_TITLE_TEXT[mode])}</h1>
          {missing ? (
            <p className="mt-1 mb-6 text-14 text-fg-2" role="status">
              {t('auth_missing_lead')}{' '}
              <Link to="/" className="link">
                {t('auth_missing_home')}
              </Link>
            </p>
          ) : (
            <p className="mt-1 mb-6 text-14 text-fg-2">{t('auth_page_lead')}</p>
          )}
          <div className="min-h-[440px]">
            <Suspense>
              <LazyAuthPanel redirect={undefined} />
            </Suspense>
          </div>
        </div>
      </div>
    </div>
  )
}
