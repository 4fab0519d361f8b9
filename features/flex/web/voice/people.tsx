import { Mic, MicOff, UserPlus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { voiceTexts } from '../../texts-voice.ts'
import type { AudioLevels, CallPerson } from './call.ts'

interface PeopleProps {
  readonly people: readonly CallPerson[]
  readonly levels: AudioLevels
  readonly muted: boolean
}

const ROW = 'grid min-h-18 grid-cols-[44px_minmax(0,1fr)_minmax(0,200px)] items-center gap-4 border-b border-line mobile:grid-cols-[44px_minmax(0,1fr)_104px]'

/** Participants with their volume, and the number of free places. */
export function People({ people, levels, muted }: PeopleProps) {
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

/** Ears hear ratios: quiet speech still moves the bars. */
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
