import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { upgradeTexts } from '../texts.ts'
import { UpgradeRecords } from './records.tsx'
import { UpgradeStatus } from './upgrade-status.tsx'
import { useUpgradeOrder, useUpgradePlans } from './use-upgrade.ts'
import { useSelectedOrder } from './use-wizard-position.ts'
import { Wizard } from './wizard.tsx'
import { UPGRADE_HEAD_TEXT } from '../state-texts.ts'

/** /gpt-upgrade: seven steps to fill in, then the queue and what came of it. Visitors see what there is. */
export function UpgradePage() {
  const t = useTexts(upgradeTexts)
  useTitle(t('upTitle'))
  const signedIn = useSignedIn()
  const [asked, setAsked] = useSelectedOrder()
  const [isNew, setNew] = useState(false)
  const plans = useUpgradePlans()
  const read = useUpgradeOrder(asked, signedIn)
  const order = read.data ?? undefined
  const isQueued = order !== undefined && order.state !== 'draft' && !isNew
  const again = (id = '') => {
    setAsked(id)
    setNew(id === '')
  }
  if (plans.isError && !plans.data) return <ErrorState error={plans.error} onRetry={() => void plans.refetch()} />
  if (read.isError && !read.data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  return (
    <section aria-labelledby="upgrade-title">
      <h1 id="upgrade-title" className="text-20 font-bold">
        {isQueued && order.state !== 'draft' ? t(UPGRADE_HEAD_TEXT[order.state], { plan: order.planName }) : t('upTitle')}
      </h1>
      {isQueued ? null : <p className="mt-1 max-w-[44em] text-14 text-fg-2">{t('lead')}</p>}
      {plans.data && plans.data.paused !== null ? (
        <AlertBox kind="warning" title={t('pausedTitle')} className="mt-4">
          {plans.data.paused || t('pausedAbout')}
        </AlertBox>
      ) : null}
      <div className="mt-6">
        {!plans.data || (signedIn && read.isPending) ? (
          <Skeleton className="h-96" />
        ) : isQueued ? (
          <UpgradeStatus order={order} limits={plans.data.limits} onNew={() => again()} />
        ) : (
          <Wizard key={isNew ? 'again' : 'first'} offer={plans.data} draft={order?.state === 'draft' ? order : undefined} onQueued={again} />
        )}
      </div>
      {signedIn ? <UpgradeRecords shown={isQueued ? order.id : undefined} onOpen={again} /> : null}
    </section>
  )
}
