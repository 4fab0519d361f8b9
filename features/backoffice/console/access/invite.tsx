import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { startSession } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { CheckboxField } from '#ui/fields/checkbox-field.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { QrTile } from '#ui/qr-tile.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { accessContract } from '../../contract.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CodeList, DoorFrame } from './frame.tsx'
import { accessTexts } from './texts.ts'

const { openInvite, acceptInvite } = accessContract
const api = createConsoleApi({ openInvite, acceptInvite })
const MIN_PASSWORD_LENGTH = 12

/**
 * Accepts an invitation: the operator sets a password, adds an authenticator and saves the recovery codes. The token is in the URL fragment,
 * which no server logs.
 */
export function Invite({ onIn }: { readonly onIn: () => void }) {
  const t = useTexts(accessTexts)
  useTitle(t('inviteTitle'))
  const [invite] = useState(() => location.hash.slice(1))
  const [codes, setCodes] = useState<{ readonly codes: readonly string[]; readonly token: string }>()
  const opened = useQuery({
    queryKey: ['invite', invite],
    queryFn: () => api.openInvite({ invite }),
    enabled: /^opi_[\w-]{43}$/.test(invite),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (codes)
    return (
      <Codes
        codes={codes.codes}
        onDone={() => {
          startSession(codes.token)
          onIn()
        }}
      />
    )
  return (
    <DoorFrame
      title={opened.data ? t('welcome', { name: opened.data.name }) : t('inviteTitle')}
      about={opened.data ? t('inviteAbout', { mail: opened.data.mail }) : undefined}
    >
      {opened.isError ? (
        <ErrorState error={opened.error} title={t('inviteGone')} />
      ) : opened.data ? (
        <Accept invite={invite} secret={opened.data.secret} uri={opened.data.uri} onAccepted={(token, list) => setCodes({ token, codes: list })} />
      ) : opened.isFetching ? (
        <SkeletonRows rows={4} />
      ) : (
        <p className="text-13 text-fg-2">{t('inviteMissing')}</p>
      )}
    </DoorFrame>
  )
}

interface AcceptProps {
  readonly invite: string
  readonly secret: string
  readonly uri: string
  readonly onAccepted: (token: string, codes: readonly string[]) => void
}

function Accept({ invite, secret, uri, onAccepted }: AcceptProps) {
  const t = useTexts(accessTexts)
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { run, isRunning, failure } = useSubmit()
  const isReady = password.length >= MIN_PASSWORD_LENGTH && /^\d{6}$/.test(code.trim())
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        void run(async () => {
          const { token, recoveryCodes } = await api.acceptInvite({ invite, password, code: code.trim() })
          onAccepted(token, recoveryCodes)
        })
      }}
    >
      <PasswordField
        label={t('newPassword')}
        hint={t('newPasswordHint')}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <div>
        <p className="text-14 font-medium">{t('authenticator')}</p>
        <p className="mb-3 text-13 text-fg-2">{t('authenticatorAbout')}</p>
        <div className="flex items-center gap-4">
          <QrTile value={uri} state="active" size={120} />
          <div className="min-w-0 text-13">
            <p className="text-fg-3">{t('orType')}</p>
            <p className="num break-all whitespace-normal">{secret.replace(/(.{4})/g, '$1 ')}</p>
            <CopyButton text={secret} label={t('copySecret')} className="mt-2" />
          </div>
        </div>
      </div>
      <TextField
        label={t('code')}
        hint={t('codeHint')}
        error={failure?.message}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        className="num"
      />
      <Button type="submit" size="lg" block loading={isRunning} disabled={!isReady}>
        {t('accept')}
      </Button>
    </form>
  )
}

/** Recovery codes, shown once; the session starts when the operator confirms that they are saved. */
function Codes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useTexts(accessTexts)
  const [isKept, setKept] = useState(false)
  return (
    <DoorFrame title={t('codesTitle')} about={t('codesAbout')}>
      <CodeList codes={codes} />
      <CheckboxField label={t('codesKept')} checked={isKept} onChange={(event) => setKept(event.target.checked)} className="mt-3" />
      <Button size="lg" block className="mt-3" disabled={!isKept} onClick={onDone}>
        {t('enter')}
      </Button>
    </DoorFrame>
  )
}
