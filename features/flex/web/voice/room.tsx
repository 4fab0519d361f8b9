import { Mic, MicOff, PhoneOff, UserPlus } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import type { voiceContract } from '../../contract-voice.ts'
import { voiceTexts } from '../../texts-voice.ts'
import { voiceApi } from './voice-api.ts'
import { createVoiceCall, SILENT_LEVELS } from './call.ts'
import type { AudioLevels, CallPerson, CallView } from './call.ts'

interface PeopleProps {
  readonly people: readonly CallPerson[]
  readonly levels: AudioLevels
  readonly muted: boolean
}

const ROW = 'grid min-h-18 grid-cols-[44px_minmax(0,1fr)_minmax(0,200px)] items-center gap-4 border-b border-line mobile:grid-cols-[44px_minmax(0,1fr)_104px]'

/** Participants with their volume, and the number of free places. */
function People({ people, levels, muted }: PeopleProps) {
  const t = useTexts(voiceTexts)
  const free = levels.others.length + 1 - people.length
  return (
    <ul className="border-t border-line" aria-label={t('voicePeople')}>
      {people.map(({ id, who, isMe, isMuted, place }) => {
        const silent = isMe ? muted : isMuted
        const share = silent ? 0 : computeShare(isMe ? levels.mine : (levels.others[place ?? -1] ?? 0))
        return (
          <li key={id} className={ROW}>
            <Face silent={silent} share={share} />
            <span className="min-w-0">
              <span className="block truncate font-semibold">{isMe ? t('voiceMe') : t(who === 'owner' ? 'voiceOwner' : 'voiceGuest')}</span>
              {silent ? <span className="block text-13 text-fg-3">{t('voiceMuted')}</span> : null}
            </span>
            <AudioLevel share={share} />
          </li>
        )
      })}
      {free > 0 && people.length > 0 ? (
        <li className={`${ROW} text-14 text-fg-3`}>
          <span className="grid size-11 place-items-center rounded-full border border-dashed border-control" aria-hidden="true">
            <UserPlus size={18} strokeWidth={1.75} />
          </span>
          <span className="col-span-2">{t('voiceFree', { free })}</span>
        </li>
      ) : null}
    </ul>
  )
}

/** Loudness is perceived as ratios: quiet speech still moves the bars. */
const computeShare = (level: number): number => (level <= 0.001 ? 0 : Math.min(1, 1 + Math.log10(level) / 3))

/** A microphone with a ring that widens with the voice. */
function Face({ silent, share }: { readonly silent: boolean; readonly share: number }) {
  const Sign = silent ? MicOff : Mic
  return (
    <span
      aria-hidden="true"
      className={`grid size-11 place-items-center rounded-full transition-shadow duration-150 motion-reduce:transition-none ${silent ? 'bg-sunken text-fg-3' : 'bg-brand-soft text-brand-text'}`}
      style={share > 0 ? { boxShadow: `0 0 0 ${1 + share * 3}px var(--color-brand)` } : undefined}
    >
      <Sign size={18} strokeWidth={1.75} />
    </span>
  )
}

const BARS = 16

function AudioLevel({ share }: { readonly share: number }) {
  const t = useTexts(voiceTexts)
  return (
    <span
      role="meter"
      aria-label={t('voiceLevel')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="flex h-5 items-center justify-between"
    >
      {Array.from({ length: BARS }, (_, at) => (
        <span key={at} className={`h-full w-1 rounded-full ${at < Math.round(share * BARS) ? 'bg-brand' : 'bg-line'}`} />
      ))}
    </span>
  )
}

const POLL_MS = 2_000
const LEVEL_MS = 200

/** Controls a call and holds its view state. The call ends when the page unmounts. */
function useVoiceCall(tokenOf: () => Promise<string>, places: number) {
  const [sight, setSight] = useState<CallView>({ phase: 'out', people: [], levels: SILENT_LEVELS, muted: false })
  const call = useMemo(() => createVoiceCall({ tokenOf, places, see: (more) => setSight((old) => ({ ...old, ...more })) }), [tokenOf, places])
  useEffect(() => {
    const timers = [setInterval(() => void call.poll(), POLL_MS), setInterval(() => void call.listen(), LEVEL_MS)]
    addEventListener('pagehide', call.bye)
    return () => {
      for (const timer of timers) clearInterval(timer)
      removeEventListener('pagehide', call.bye)
      if (call.isLive()) call.end('left')
    }
  }, [call])
  return { ...sight, join: call.join, mute: call.mute, leave: () => call.end('left') }
}

interface VoiceRoomPanelProps {
  readonly look: ReplyOf<(typeof voiceContract)['voiceLook']>
  readonly tokenOf: () => Promise<string>
  /** Refreshes the participants. */
  readonly onAnew: () => void
}

/** The page before, during and after a call. */
export function VoiceRoomPanel({ look, tokenOf, onAnew }: VoiceRoomPanelProps) {
  const t = useTexts(voiceTexts)
  const call = useVoiceCall(tokenOf, look.places)
  const { phase } = call
  const isIn = phase === 'in' || phase === 'again'
  useMuteKey(isIn, call.muted, call.mute)
  if (isIn) return <CallPanel call={call} isOwner={look.who === 'owner'} />
  const join = (
    <Button size="lg" onClick={() => void call.join()} loading={phase === 'asking' || phase === 'connecting'}>
      {t('voiceJoin')}
    </Button>
  )
  const retry = (
    <Button onClick={() => void call.join()} variant="secondary">
      {t('voiceRetry')}
    </Button>
  )
  if (phase === 'denied') return <Note title={t('voiceDenied')} body={t('voiceDeniedHow')} act={retry} />
  if (phase === 'noMic') return <Note title={t('voiceNoMic')} body={t('voiceNoMicHow')} act={retry} />
  if (phase === 'failed') return <Note title={t('voiceFailed')} body={t('voiceFailedHow')} act={retry} />
  if (phase === 'full') return <Note title={t('voiceHere', { here: look.people, people: look.people })} body={t('voiceFullHow')} act={retry} />
  // If only the time limit was reached, the owner may start the room again
  if (phase === 'closed' && look.who === 'owner') return <Note title={t('voiceClosed')} body={t('voiceClosedOwn')} act={retry} />
  if (phase === 'closed') return <Note title={t('voiceClosed')} body={t('voiceClosedHow')} />
  return (
    <div className="card mt-8 p-6">
      {phase === 'left' ? <p className="mb-2 font-semibold">{t('voiceLeft')}</p> : null}
      <p className="text-18 font-semibold">{t('voiceHere', look)}</p>
      <p className="mt-1 text-14 text-fg-2">{t('voiceMinutesNote', look)}</p>
      <div className="mt-6 flex flex-wrap items-center gap-4">
        {join}
        {phase === 'left' ? (
          <Button variant="secondary" size="lg" onClick={onAnew}>
            {t('voiceAnew')}
          </Button>
        ) : null}
        <p role="status" className="text-14 text-fg-2">
          {phase === 'asking' ? t('voiceAsking') : phase === 'connecting' ? t('voiceConnecting') : ''}
        </p>
      </div>
    </div>
  )
}

function Note({ title, body, act }: { readonly title: string; readonly body: string; readonly act?: ReactNode }) {
  return (
    <div role="alert" className="card mt-8 p-6">
      <p className="font-semibold">{title}</p>
      <p className="mt-1 text-14 text-fg-2">{body}</p>
      {act ? <p className="mt-4">{act}</p> : null}
    </div>
  )
}

function CallPanel({ call, isOwner }: { readonly call: ReturnType<typeof useVoiceCall>; readonly isOwner: boolean }) {
  const t = useTexts(voiceTexts)
  const online = useOnline()
  const { phase, people, levels, muted, endsTime } = call
  const lost = phase === 'again'
  return (
    <section className="card mt-8 p-6" aria-label={t('voicePeople')}>
      <div className="flex flex-wrap items-center justify-between gap-3 text-14">
        <p role="status" className={`flex items-center gap-2 ${lost || !online ? 'text-fg-3' : 'font-medium text-brand-text'}`}>
          <span className={`size-2 rounded-full ${lost || !online ? 'bg-fg-3' : 'bg-brand ring-4 ring-brand-soft'}`} aria-hidden="true" />
          {!online
            ? t('voiceOffline')
            : lost
              ? t('voiceAgainState')
              : t('voiceHere', { here: people.length || 1, people: Math.max(levels.others.length + 1, people.length) })}
        </p>
        {endsTime ? <RoomCountdown until={Date.parse(endsTime)} /> : null}
      </div>
      <div className="mt-4">
        <People people={people} levels={levels} muted={muted} />
      </div>
      {people.length === 1 && !lost ? <p className="mt-3 text-14 text-fg-2">{t(isOwner ? 'voiceAlone' : 'voiceAloneGuest')}</p> : null}
      <p className="mt-6 flex flex-wrap gap-3 mobile:grid mobile:grid-cols-2">
        <Button variant="secondary" onClick={() => call.mute(!muted)} aria-pressed={muted} aria-keyshortcuts="M" title={t('voiceKey')}>
          {muted ? <MicOff size={16} strokeWidth={1.75} aria-hidden="true" /> : <Mic size={16} strokeWidth={1.75} aria-hidden="true" />}
          {t(muted ? 'voiceUnmute' : 'voiceMute')}
        </Button>
        {isOwner ? (
          <Button variant="secondary" onClick={() => void copyInvitation(t('voiceInvited'), t('voiceInviteFailed'))}>
            {t('voiceInvite')}
          </Button>
        ) : null}
        <Button variant="danger" onClick={call.leave} className={`ml-auto mobile:ml-0 ${isOwner ? 'mobile:col-span-2' : ''}`}>
          <PhoneOff size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('voiceLeave')}
        </Button>
      </p>
    </section>
  )
}

function RoomCountdown({ until }: { readonly until: number }) {
  const t = useTexts(voiceTexts)
  const seconds = useCountdown(until)
  return (
    <span className="tabular text-13 text-fg-3" role="timer" aria-live="off">
      {t('voiceEnds', { clock: formatClock(seconds) })}
    </span>
  )
}

async function copyInvitation(done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText((await voiceApi.voiceInvite({})).url)
    toast.success(done)
  } catch {
    toast.warning(failed)
  }
}

function useMuteKey(active: boolean, muted: boolean, mute: (to: boolean) => void): void {
  useEffect(() => {
    if (!active) return
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey || (event.target as Element).closest?.('input, textarea')) return
      mute(!muted)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [active, muted, mute])
}
