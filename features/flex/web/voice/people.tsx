import { MicOff } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { voiceTexts } from '../../texts-voice.ts'
import type { Levels, Person } from './call.ts'

interface PeopleProps {
  readonly people: readonly Person[]
  readonly levels: Levels
  readonly muted: boolean
}

/** Who is here, each with how loud they are. */
export function People({ people, levels, muted }: PeopleProps) {
  const t = useTexts(voiceTexts)
  return (
    <ul className="border-t border-line" aria-label={t('voicePeople')}>
      {people.map(({ id, who, isMe, isMuted, place }) => {
        const silent = isMe ? muted : isMuted
        const level = silent ? 0 : isMe ? levels.mine : (levels.others[place ?? -1] ?? 0)
        return (
          <li key={id} className="grid min-h-14 grid-cols-[96px_minmax(0,1fr)_88px] items-center gap-4 border-b border-line">
            <span className="truncate font-semibold">{isMe ? t('voiceMe') : t(who === 'owner' ? 'voiceOwner' : 'voiceGuest')}</span>
            <Level value={level} />
            <span className="flex items-center justify-end gap-1.5 text-13 text-fg-3">
              {silent ? (
                <>
                  <MicOff size={16} strokeWidth={1.75} aria-hidden="true" />
                  {t('voiceMuted')}
                </>
              ) : null}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

/** Ears hear ratios: quiet speech still moves the bar. */
function Level({ value }: { readonly value: number }) {
  const t = useTexts(voiceTexts)
  const share = value <= 0.001 ? 0 : Math.min(1, 1 + Math.log10(value) / 3)
  return (
    <span
      role="meter"
      aria-label={t('voiceLevel')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="block h-1.5 overflow-hidden rounded-full bg-line"
    >
      <span className="block h-full rounded-full bg-brand" style={{ width: `${share * 100}%` }} />
    </span>
  )
}
