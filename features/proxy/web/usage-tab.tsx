import { useTexts } from '#platform/web/i18n.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { ProxyStat } from '../contract.ts'
import { proxyTexts } from '../texts.ts'
import { ExtensionCard } from './extension-card.tsx'
import { LiveTicket } from './live-ticket.tsx'
import { NewProxyUse } from './new-use.tsx'
import { SettingsFile } from './settings-file.tsx'
import { useAvailable } from './use-proxy.ts'

/** The use in progress, or the offer; next to it the two ways to set up a browser. */
export function UsageTab({ stat }: { readonly stat: ProxyStat }) {
  const t = useTexts(proxyTexts)
  const mobile = useIsMobile()
  const { data, isError, error, refetch } = useAvailable()
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className="grid grid-cols-[minmax(0,460px)_minmax(0,1fr)] items-start gap-10 mobile:grid-cols-1 mobile:gap-7">
      {mobile ? (
        <AlertBox kind="warning" title={t('networkPhoneTitle')}>
          {t('networkPhone')}
        </AlertBox>
      ) : null}
      {data === undefined ? <Skeleton className="h-96" /> : data.account ? <LiveTicket account={data.account} stat={stat} /> : <NewProxyUse stat={stat} />}
      <div className="grid gap-6">
        <ExtensionCard />
        <SettingsFile hasAccount={Boolean(data?.account)} />
      </div>
    </div>
  )
}
