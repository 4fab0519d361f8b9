import { Link, useLocation } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { useCallback } from 'react'
import { QueryProvider } from '#platform/web/calls/query.tsx'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { voiceTexts } from '../../texts-voice.ts'
import { isRoomClosed } from './call.ts'
import { VoiceRoomPanel } from './room.tsx'
import { voiceApi } from './voice-api.ts'

/** The page /voice: the user's own room, or an invited one if the address has a token as its fragment. */
export function VoicePage() {
  const t = useTexts(voiceTexts)
  useTitle(t('pageVoice'))
  const { hash } = useLocation()
  const signedIn = useSignedIn()
  const guest = hash.length > 20 ? hash : undefined
  return (
    <div className="mx-auto w-full max-w-[640px] px-5 py-14 mobile:py-8">
      {signedIn ? (
        <Link to="/gpt-plus-share" className="mb-4 inline-flex items-center gap-1.5 mobile:min-h-11 text-14 text-fg-2 no-underline hover:text-fg">
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('voiceBack')}
        </Link>
      ) : null}
      <h1 className="text-28 font-bold mobile:text-20">{t('pageVoice')}</h1>
      <p className="mt-2 text-fg-2">{t(guest ? 'voiceGuestLead' : 'voiceLead')}</p>
      {guest || signedIn ? (
        <QueryProvider>
          <Lobby guest={guest} />
        </QueryProvider>
      ) : (
        <div className="card mt-8 p-6">
          <p className="text-fg-2">{t('voiceSignIn')}</p>
          <Button className="mt-4" onClick={() => openDialog('auth', { mode: 'login', redirect: '/voice' })}>
            {t('voiceSignInDo')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Shows the room that the token opens; with a LiveKit server, shows the token for its clients instead. */
function Lobby({ guest }: { readonly guest: string | undefined }) {
  const t = useTexts(voiceTexts)
  const lang = useLang()
  const tokenOf = useCallback(async () => guest ?? (await voiceApi.livekitToken({})).token, [guest])
  const look = useQuery({
    queryKey: ['voice', lang, guest],
    retry: false,
    queryFn: async () => {
      const own = guest === undefined ? await voiceApi.livekitToken({}) : undefined
      if (own?.kind === 'livekit') return { livekit: own }
      return { room: await voiceApi.voiceLook({ token: guest ?? own!.token }) }
    },
  })
  if (look.isError) {
    if (!isRoomClosed(look.error)) return <ErrorState error={look.error} title={t('voiceFailed')} onRetry={() => void look.refetch()} />
    return (
      <div role="alert" className="card mt-8 p-6">
        <p className="font-semibold">{t(guest ? 'voiceClosed' : 'voiceNone')}</p>
        <p className="mt-1 text-14 text-fg-2">{t(guest ? 'voiceClosedHow' : 'voiceClosedOwn')}</p>
        {guest ? null : (
          <Link to="/gpt-plus-share" className={`mt-4 ${getButtonClass('secondary')}`}>
            {t('voiceChoose')}
          </Link>
        )}
      </div>
    )
  }
  if (!look.data) return <Skeleton className="mt-8 h-56" />
  const { livekit, room } = look.data
  if (livekit)
    return (
      <div className="card mt-8 p-6 text-14">
        <p className="text-fg-2">{t('voiceLivekit')}</p>
        <dl className="mt-4 grid gap-3">
          {(
            [
              ['voiceLivekitUrl', livekit.url],
              ['voiceLivekitToken', livekit.token],
            ] as const
          ).map(([name, value]) => (
            <div key={name} className="grid grid-cols-[88px_minmax(0,1fr)_auto] items-center gap-3">
              <dt className="text-fg-2">{t(name)}</dt>
              <dd className="num truncate">{value}</dd>
              <CopyButton text={value} label={t(name)} />
            </div>
          ))}
        </dl>
      </div>
    )
  return <VoiceRoomPanel look={room} tokenOf={tokenOf} onAnew={() => void look.refetch()} />
}
