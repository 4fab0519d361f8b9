import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { browserTexts } from '../texts.ts'
import { AccountsCard } from './accounts-card.tsx'
import { Downloads } from './downloads.tsx'
import { PackageTicket } from './package-ticket.tsx'
import { TokenCard } from './token-card.tsx'
import { useBrowserInfo } from './use-browser.ts'

/** /browser: the files with their hashes, what is in use, the client's token, and the e-mail that comes with a package. */
export function BrowserPage() {
  const t = useTexts(browserTexts)
  useTitle(t('browserTitle'))
  const mobile = useIsMobile()
  const { data, isError, error, refetch } = useBrowserInfo()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <header className="mb-6">
        <h1 className="text-20 font-bold">{t('browserTitle')}</h1>
        <p className="mt-1 max-w-2xl text-14 text-fg-2">{t('browserAbout')}</p>
      </header>
      {data ? (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,420px)] items-start gap-10 mobile:grid-cols-1 mobile:gap-7">
          <div className="grid gap-6">
            {data.isOffered ? null : (
              <AlertBox kind="info" title={t('browserNotOffered')}>
                {t('browserNotOfferedBody')}
              </AlertBox>
            )}
            {data.isOffered && mobile ? (
              <AlertBox kind="info" title={t('browserPhoneTitle')}>
                {t('browserPhone')}
              </AlertBox>
            ) : null}
            <Downloads files={data.files} />
            <TokenCard info={data} />
            <AccountsCard />
          </div>
          <div className="mobile:order-first">
            <PackageTicket info={data} />
          </div>
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,420px)] gap-10 mobile:grid-cols-1" aria-busy="true">
          <Skeleton className="h-96" />
          <Skeleton className="h-80" />
        </div>
      )}
    </>
  )
}
