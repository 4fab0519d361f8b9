import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime, Time } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass, Button } from '#ui/button.tsx'
import { ErrorState, EmptyState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import type { RemoteCount } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { useRemoteCount, useRemoteRefresh, useRemoteSession, useRemoteRecords, useRemoteActions } from './use-remote.ts'
import { WaitTicket } from './wait-ticket.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { DataTable, type Column } from '#ui/data-table.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import type { ServiceTask } from '#features/services/contract.ts'

type BrowserSupport = 'full' | 'phone' | 'none'

/** Checks that a browser can show a remote one. Safari's keyboard and clipboard events lose characters; in-app browsers support neither. */
export function resolveBrowserSupport(userAgent: string, can: { readonly socket: boolean; readonly bitmap: boolean }): BrowserSupport {
  if (!can.socket || !can.bitmap) return 'none'
  const isSafari = /AppleWebKit/.test(userAgent) && !/Chrome|Chromium|Edg|Android/.test(userAgent)
  if (isSafari || /MicroMessenger|QQ\/|Weibo|AlipayClient|; wv\)/i.test(userAgent)) return 'none'
  return /Mobi|Android|iPhone|iPad/.test(userAgent) ? 'phone' : 'full'
}

const readBrowserSupport = (): BrowserSupport =>
  resolveBrowserSupport(navigator.userAgent, { socket: typeof WebSocket !== 'undefined', bitmap: typeof createImageBitmap !== 'undefined' })

/** All uses with their outcome and cost. */
function RemoteRecords() {
  const t = useTexts(remoteTexts)
  const list = useRemoteRecords()
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  const columns: readonly Column<ServiceTask>[] = [
    { key: 'time', header: t('remoteWhen'), cell: (row) => <Time at={row.createdTime} /> },
    { key: 'what', header: t('remoteWhat'), mobile: 'title', cell: (row) => row.productName },
    { key: 'state', header: t('remoteState'), cell: (row) => <span className="text-fg-2">{row.causeName || row.stateName}</span> },
    { key: 'cost', header: t('remoteCharged'), mobile: 'primary', align: 'right', cell: (row) => <RecordCost row={row} /> },
  ]
  return (
    <section aria-labelledby="remote-records" className="mt-10 min-w-0">
      <h2 id="remote-records" className="mb-3 text-16 font-bold">
        {t('remoteRecords')}
      </h2>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <>
          <DataTable
            caption={t('remoteRecords')}
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('remoteNone')} body={t('remoteNoneBody')} />}
          />
          {rows.length ? <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} /> : null}
        </>
      )}
    </section>
  )
}

function RecordCost({ row }: { readonly row: ServiceTask }) {
  const t = useTexts(remoteTexts)
  if (row.free !== 'no') return <span className={row.free === 'back' ? 'text-fg-3 line-through' : ''}>{t('remoteFree')}</span>
  const kept = row.charged !== '0'
  const isHeld = row.money === 'held'
  const note = isHeld ? t('remoteHeld') : row.returned === '0' ? '' : t('remoteReturned', { amount: displayUsd(row.returned) })
  return (
    <span className="inline-grid justify-items-end">
      <span className={`num ${kept || isHeld ? '' : 'text-fg-3 line-through'}`}>{displayUsd(kept ? row.charged : row.amount)}</span>
      {note ? <span className="text-12 text-fg-3">{note}</span> : null}
    </span>
  )
}

/** Description and itemised cost of one use, shown before the order. */
function NewRemoteUse({ stat }: { readonly stat: RemoteCount }) {
  const t = useTexts(remoteTexts)
  const { apply, isRunning } = useRemoteActions()
  const isFree = stat.remainingCount > 0
  const price = isFree ? displayUsd('0') : displayUsd(stat.price)
  return (
    <Receipt look="inline" label={t('remoteOne')}>
      <p className="text-16 font-bold">{t('remoteOne')}</p>
      <p className="mt-1 text-13 text-fg-2">{t('remoteOneAbout')}</p>
      <ReceiptRule />
      <ReceiptRow label={t('remoteTime')} value={t('remoteMinutes', { minutes: stat.minutes })} />
      <ReceiptRow label={t('remotePlace')} value={stat.place} />
      {stat.allowed > 0 ? <ReceiptRow label={t('remoteIncluded')} value={t('remoteOf', { left: stat.remainingCount, all: stat.allowed })} /> : null}
      {stat.waiting > 0 ? <ReceiptRow label={t('remoteQueued')} value={t('remoteAhead', { ahead: stat.waiting })} /> : null}
      <ReceiptRule />
      <ReceiptRow strong label={t('remoteDue')} value={price} />
      {isFree ? null : <p className="text-12 text-fg-3">{t('remotePaidFrom')}</p>}
      <Button block size="lg" className="mt-4" loading={isRunning} disabled={readBrowserSupport() === 'none'} onClick={() => void apply()}>
        {isFree ? t('remoteBeginFree') : t('remoteBegin', { price })}
      </Button>
    </Receipt>
  )
}

/** /remote: order, wait for and open one use of a remote browser; past uses. */
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

/** The offer, or the reason why none is sold now. */
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

/** Shown before any payment. */
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
