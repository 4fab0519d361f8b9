import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { RemoteCount } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { NewRemoteUse } from './new-use.tsx'
import { RemoteRecords } from './records.tsx'
import { readBrowserSupport } from './support.ts'
import { useRemoteCount, useRemoteRefresh, useRemoteSession } from './use-remote.ts'
import { WaitTicket } from './wait-ticket.tsx'

/** /remote: one use of a browser that runs elsewhere: bought, waited for, opened; what was used. */
export function RemotePage() {
  const t = useTexts(remoteTexts)
  useTitle(t('remoteTitle'))
  const count = useRemoteCount()
  const session = useRemoteSession()
  const refresh = useRemoteRefresh()
  const state = session.data?.session?.state
  // The records show the session's new state too
  useEffect(() => refresh(['records', 'count']), [state, refresh])
  if (count.isError && !count.data) return <ErrorState error={count.error} onRetry={() => void count.refetch()} />
  if (session.isError && !session.data) return <ErrorState error={session.error} onRetry={() => void session.refetch()} />
  const [stat, live] = [count.data, session.data?.session]
  return (
    <>
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-20 font-bold">{t('remoteTitle')}</h1>
        <p className="text-13 text-fg-2">{stat ? t('remoteFacts', { price: displayUsd(stat.price), minutes: stat.minutes }) : null}</p>
      </header>
      <p className="mb-5 max-w-[720px] text-14 text-fg-2">{t('remoteLead')}</p>
      <div className="grid grid-cols-[minmax(0,460px)_minmax(0,1fr)] items-start gap-10 mobile:grid-cols-1 mobile:gap-7">
        <div className="grid gap-4">
          <BrowserNotice />
          {stat === undefined || live === undefined ? (
            <Skeleton className="h-80" />
          ) : live ? (
            <WaitTicket key={live.id} session={live} stat={stat} />
          ) : (
            <Offer stat={stat} />
          )}
        </div>
        <GoodToKnow files={stat?.files ?? null} />
      </div>
      <RemoteRecords />
    </>
  )
}

/** The offer, or the reason why nothing is sold now. */
function Offer({ stat }: { readonly stat: RemoteCount }) {
  const t = useTexts(remoteTexts)
  if (stat.paused !== null)
    return (
      <AlertBox kind="info" title={t('remotePausedTitle')}>
        {stat.paused || t('remotePaused')}
      </AlertBox>
    )
  if (!stat.hasCard)
    return (
      <AlertBox
        kind="info"
        title={t('remoteNeedsCardTitle')}
        action={
          <Link to="/select-card" className={getButtonClass('primary', 'sm')}>
            {t('remoteGetCard')}
          </Link>
        }
      >
        {t('remoteNeedsCard', { ...stat.included, price: displayUsd(stat.price) })}
      </AlertBox>
    )
  if (!stat.isOffered)
    return (
      <AlertBox kind="info" title={t('remoteNotOfferedTitle')}>
        {t('remoteNotOffered')}
      </AlertBox>
    )
  if (stat.tooOften)
    return (
      <AlertBox kind="info" title={t('remoteTooOftenTitle', { time: displayTime(stat.tooOften.againTime).slice(5) })}>
        {t('remoteTooOften', stat.tooOften)}
      </AlertBox>
    )
  return <NewRemoteUse stat={stat} />
}

/** Told before anything is paid. */
function BrowserNotice() {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  const support = readBrowserSupport()
  if (support === 'full' && !mobile) return null
  return (
    <AlertBox kind="warning" title={t(support === 'none' ? 'remoteUnsupportedTitle' : 'remotePhoneTitle')}>
      {t(support === 'none' ? 'remoteUnsupported' : 'remotePhone')}
    </AlertBox>
  )
}

function GoodToKnow({ files }: Pick<RemoteCount, 'files'>) {
  const t = useTexts(remoteTexts)
  const handOver = files ? t('remoteKnowFiles', files) : t('remoteKnowNoFiles')
  return (
    <section aria-labelledby="remote-know">
      <h2 id="remote-know" className="mb-3 text-16 font-bold">
        {t('remoteKnowTitle')}
      </h2>
      <ul className="grid list-disc gap-2 pl-5 text-14 text-fg-2">
        {[t('remoteKnowErase'), t('remoteKnowTyped'), handOver, t('remoteKnowPorts'), t('remoteKnowRules')].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <Link to={'/help/remote-login' as string} className="link mt-4 inline-flex min-h-6 items-center text-14 mobile:min-h-11">
        {t('remoteLearn')}
      </Link>
    </section>
  )
}
