import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useOnline } from '#platform/web/online.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Countdown, formatClock, useCountdown } from '#ui/time/countdown.tsx'
import type { RemoteCount, RemoteSession } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { useRemoteActions, useRemoteRefresh, remoteApi } from './use-remote.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

/** Opens a supplier's window within the click, as popup blockers would stop it later; its address is set afterwards. */
async function openSupplierWindow(): Promise<void> {
  const shown = window.open('about:blank', '_blank')
  try {
    const { url } = await remoteApi.kasmOpen({})
    if (!shown) return void location.assign(url)
    shown.opener = null
    shown.location.replace(url)
  } catch (error) {
    shown?.close()
    throw error
  }
}

interface TicketProps {
  readonly session: RemoteSession
  readonly stat: RemoteCount
}

const STATE_TEXT = { queued: 'remoteQueued', starting: 'remoteStarting', ready: 'remoteReady', using: 'remoteUsing' } as const

/** The live session: its place in the queue, its start, the link to open it, the time left. */
export function WaitTicket({ session, stat }: TicketProps) {
  const t = useTexts(remoteTexts)
  return (
    <Receipt look="inline" label={t('remoteOne')}>
      <div className="flex items-center justify-between gap-3">
        <p className="text-16 font-bold" role="status">
          {t(resolveTextKey(STATE_TEXT, session.state))}
        </p>
        <Live />
      </div>
      <ReceiptRule />
      <State session={session} stat={stat} />
      <ReceiptRow
        label={t(session.state === 'using' ? 'remoteCharged' : session.isFree ? 'remoteDue' : 'remoteHeld')}
        value={session.isFree ? t('remoteIncluded') : displayUsd(session.amount)}
      />
      <TicketActions session={session} stat={stat} />
    </Receipt>
  )
}

function Live() {
  const t = useTexts(remoteTexts)
  const online = useOnline()
  return (
    <p className="flex shrink-0 items-center gap-2 text-13 text-fg-2">
      <span className={`size-2 rounded-full ring-4 ${online ? 'bg-brand ring-brand-soft' : 'bg-control ring-sunken'}`} aria-hidden="true" />
      {t(online ? 'remoteLive' : 'remoteOffline')}
    </p>
  )
}

function State({ session, stat }: TicketProps) {
  const t = useTexts(remoteTexts)
  const refresh = useRemoteRefresh()
  const { state, ahead, aheadMinutes, deadlineTime, expiresTime, startedTime } = session
  if (state === 'queued')
    return (
      <div className="mb-3">
        <p className="text-28 font-semibold">
          {ahead ? t('remoteAhead', { ahead }) : t('remoteAheadNone')}
          {aheadMinutes ? <span className="ml-3 text-16 font-normal text-fg-2">{t('remoteAheadMinutes', { minutes: aheadMinutes })}</span> : null}
        </p>
        {deadlineTime ? <p className="mt-1 text-13 text-fg-3">{t('remoteWaitUntil', { time: displayTime(deadlineTime).slice(11, 16) })}</p> : null}
      </div>
    )
  if (state === 'starting')
    return (
      <p className="mb-3 flex items-center gap-3 text-14 text-fg-2">
        <span className="spinner" aria-hidden="true" />
        {t('remoteOneAbout')}
      </p>
    )
  if (state === 'ready') return <ReadyNote until={deadlineTime ? Date.parse(deadlineTime) : 0} />
  const whole = (Date.parse(expiresTime ?? '') - Date.parse(startedTime ?? '')) / 1000
  return (
    <div className="mb-3">
      <Countdown
        until={Date.parse(expiresTime ?? '')}
        of={whole > 0 ? whole : stat.minutes * 60}
        label={t('remoteLeft')}
        say={(seconds) => t('remoteUntil', { clock: formatClock(seconds), time: displayTime(expiresTime ?? '').slice(11, 16) })}
        onEnd={() => refresh()}
      />
    </div>
  )
}

function ReadyNote({ until }: { readonly until: number }) {
  const t = useTexts(remoteTexts)
  const refresh = useRemoteRefresh()
  const seconds = useCountdown(until, () => refresh())
  return <p className="mb-3 text-14 text-fg-2">{t('remoteReadyAbout', { clock: formatClock(seconds) })}</p>
}

function TicketActions({ session, stat }: TicketProps) {
  const t = useTexts(remoteTexts)
  const { apply, end, isRunning } = useRemoteActions()
  const { state, engine } = session
  const isThere = state === 'ready' || state === 'using'
  const giveUp = session.isFree ? t('remoteGiveUpFree') : t('remoteGiveUpPaid', { price: displayUsd(session.amount) })
  const stop = async () => {
    if (state === 'using' && !(await confirm({ title: t('screenEndAsk'), body: t('screenEndBody'), action: t('screenEnd'), danger: true }))) return
    await end()
  }
  return (
    <>
      <ReceiptRule />
      {isThere && engine === 'window' ? <p className="mb-3 text-13 text-fg-2">{t('remoteWindowAbout')}</p> : null}
      <div className="grid grid-cols-1 gap-2">
        {isThere && engine === 'canvas' ? (
          <Link to="/remote/screen" className={getButtonClass('primary', 'lg', 'w-full')}>
            {t(state === 'using' ? 'remoteBack' : 'remoteOpen')}
          </Link>
        ) : null}
        {isThere && engine === 'window' ? <WindowButton /> : null}
        {session.canExtend ? (
          <Button variant="secondary" size="lg" block loading={isRunning} onClick={() => void apply(true)}>
            {t('screenMore', { minutes: stat.minutes })}
          </Button>
        ) : null}
        <Button variant="ghost" size="lg" block loading={isRunning} onClick={() => void stop()}>
          {state === 'using' ? t('screenEnd') : giveUp}
        </Button>
      </div>
    </>
  )
}

function WindowButton() {
  const t = useTexts(remoteTexts)
  const refresh = useRemoteRefresh()
  return (
    <Button size="lg" block onClick={() => void openSupplierWindow().finally(() => refresh())}>
      {t('remoteOpen')}
    </Button>
  )
}
