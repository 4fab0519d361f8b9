import { Link } from '@tanstack/react-router'
import { ArrowLeft, Clipboard, Languages, LogOut, Maximize, Minimize, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import type { RemoteCount, RemoteSession } from '../../contract.ts'
import { remoteTexts } from '../../texts.ts'
import { useRemoteActions } from '../use-remote.ts'
import type { OpenPanels } from './panels.ts'
import type { RemoteLinkView } from './use-link.ts'

interface BarProps {
  readonly link: RemoteLinkView
  readonly session: RemoteSession | undefined
  readonly stat: RemoteCount | undefined
  readonly panels: OpenPanels
  readonly onToggle: (name: keyof OpenPanels) => void
}

/** Dark in both themes: location, remaining time, and the button to end. */
export function RemoteTopBar({ link, session, stat, panels, onToggle }: BarProps) {
  const t = useTexts(remoteTexts)
  const mobile = useIsMobile()
  const { apply, end, isRunning } = useRemoteActions()
  const stop = async () => {
    if (await confirm({ title: t('screenEndAsk'), body: t('screenEndBody'), action: t('screenEnd'), danger: true })) await end()
  }
  const { until, phase } = link.state
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 bg-ink px-4 text-ink-fg mobile:gap-1 mobile:px-2">
      <Link to="/remote" className="icon-btn !text-ink-fg hover:!bg-ink-2" aria-label={t('screenLeave')} title={t('screenLeave')}>
        <ArrowLeft size={18} strokeWidth={1.75} aria-hidden="true" />
      </Link>
      {mobile ? <h1 className="sr-only">{t('remoteTitle')}</h1> : <h1 className="text-16 font-bold">{t('remoteTitle')}</h1>}
      {mobile ? null : <span className="truncate text-13 text-ink-fg-2">{stat?.place}</span>}
      <div className="flex min-w-0 flex-1 justify-center">
        {until === undefined || phase === 'over' ? null : <Clock until={until} of={(stat?.minutes ?? 20) * 60} />}
      </div>
      {session?.canExtend ? (
        <BarButton label={t('screenMore', { minutes: stat?.minutes ?? 20 })} isBusy={isRunning} onPress={() => void apply(true)}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
        </BarButton>
      ) : null}
      {phase === 'over' ? null : (
        <>
          <BarButton label={t('screenClip')} isOn={panels.clip} onPress={() => onToggle('clip')}>
            <Clipboard size={16} strokeWidth={1.75} aria-hidden="true" />
          </BarButton>
          <BarButton label={t('screenType')} isOn={panels.type} onPress={() => onToggle('type')}>
            <Languages size={16} strokeWidth={1.75} aria-hidden="true" />
          </BarButton>
          {mobile ? null : <FullButton />}
          <button
            type="button"
            onClick={() => void stop()}
            className="inline-flex h-9 mobile:h-11 shrink-0 items-center gap-2 rounded-control border border-ink-fg-3 px-3 text-13 font-semibold hover:bg-ink-2"
          >
            <LogOut size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('screenEnd')}
          </button>
        </>
      )}
    </header>
  )
}

interface ButtonProps {
  readonly label: string
  readonly isOn?: boolean
  readonly isBusy?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

function BarButton({ label, isOn, isBusy, onPress, children }: ButtonProps) {
  const mobile = useIsMobile()
  return (
    <button
      type="button"
      onClick={onPress}
      aria-pressed={isOn}
      aria-busy={isBusy}
      aria-label={label}
      title={label}
      className={`inline-flex h-9 min-w-9 mobile:h-11 mobile:min-w-11 shrink-0 items-center justify-center gap-2 rounded-control px-2.5 text-13 text-ink-fg hover:bg-ink-2 ${isOn ? 'bg-ink-2' : ''}`}
    >
      {children}
      {mobile ? null : <span>{label}</span>}
    </button>
  )
}

function FullButton() {
  const t = useTexts(remoteTexts)
  const [isFull, setIsFull] = useState(false)
  useEffect(() => {
    const changed = () => setIsFull(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  const Icon = isFull ? Minimize : Maximize
  return (
    <BarButton
      label={t(isFull ? 'screenFullEnd' : 'screenFull')}
      onPress={() => void (isFull ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => undefined)}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
    </BarButton>
  )
}

/** Countdown to the server's deadline, announced to screen readers at half time, at one minute and at the end. */
function Clock({ until, of }: { readonly until: number; readonly of: number }) {
  const t = useTexts(remoteTexts)
  const seconds = useCountdown(until)
  const share = Math.min(1, seconds / of)
  const spoken = seconds === Math.floor(of / 2) || seconds === 120 || seconds === 60 || seconds === 0
  const isShort = share < 0.1
  return (
    <p className="flex items-center gap-3 mobile:gap-2">
      <span className="sr-only">{t('screenClock')}</span>
      <span className={`num text-20 font-semibold mobile:text-16 ${isShort ? 'text-chart-2' : ''}`} role="timer" aria-live="off">
        {formatClock(seconds)}
      </span>
      <span className="h-1 w-[120px] overflow-hidden rounded-full bg-ink-line mobile:hidden" aria-hidden="true">
        <span
          className={`block h-full rounded-full transition-[width] duration-1000 ease-linear ${isShort ? 'bg-chart-2' : 'bg-ink-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="text-13 text-ink-fg-3 mobile:hidden">{displayTime(new Date(until).toISOString()).slice(11)}</span>
      <span className="sr-only" role="status">
        {spoken ? (seconds === 120 ? t('screenTwoMinutes') : formatClock(seconds)) : ''}
      </span>
    </p>
  )
}
