import { Mic, MicOff, PhoneOff } from 'lucide-react'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { formatClock, useCountdown } from '#ui/time/use-countdown.ts'
import type { voiceContract } from '../../contract-voice.ts'
import { voiceTexts } from '../../texts-voice.ts'
import { People } from './people.tsx'
import { useVoiceCall } from './use-call.ts'
import { voiceApi } from './voice-api.ts'

interface VoiceRoomPanelProps {
  readonly look: ReplyOf<(typeof voiceContract)['voiceLook']>
  readonly tokenOf: () => Promise<string>
  /** Look again who is there. */
  readonly onAnew: () => void
}

/** Before, in and after a call. */
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
  // If only the time was up, the owner may start the room again
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
