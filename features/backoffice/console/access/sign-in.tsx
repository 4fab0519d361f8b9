import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { startSession } from '#platform/web/state/session.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { accessContract } from '../../contract.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { canUsePasskey, signWithPasskey } from '../kit/passkey.ts'
import { DoorFrame } from './frame.tsx'
import { accessTexts } from './texts.ts'

const { signIn, passkeyChallenge, passkeySignIn } = accessContract
const api = createConsoleApi({ signIn, passkeyChallenge, passkeySignIn })

/** Sign-in with a passkey first; mail, password and code for operators without one on this device. `ended`: why the last session ended. */
export function SignIn({ ended, onIn }: { readonly ended?: boolean; readonly onIn: () => void }) {
  const t = useTexts(accessTexts)
  useTitle(t('signIn'))
  const hasPasskeys = canUsePasskey()
  const [byPassword, setByPassword] = useState(!hasPasskeys)
  const { run, isRunning, failure } = useSubmit()
  const [left, setLeft] = useState(false)
  const enter = () =>
    run(async () => {
      setLeft(false)
      const { id, options } = await api.passkeyChallenge()
      const credential = await signWithPasskey(options)
      if (!credential) return setLeft(true)
      startSession((await api.passkeySignIn({ id, credential })).token)
      onIn()
    })
  return (
    <DoorFrame title={t('signIn')} about={ended ? t('sessionEnded') : t('signInAbout')}>
      {hasPasskeys ? (
        <Button size="lg" block loading={isRunning} onClick={() => void enter()}>
          <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('byPasskey')}
        </Button>
      ) : (
        <p className="mb-4 rounded-control bg-sunken px-3 py-2 text-13 text-fg-2">{t('noPasskeyHere')}</p>
      )}
      <p role="alert" className="mt-2 text-13 text-danger empty:hidden">
        {left ? t('passkeyLeft') : byPassword ? null : failure?.message}
      </p>
      {byPassword ? (
        <div className={hasPasskeys ? 'mt-5 border-t border-line pt-5' : ''}>
          <PasswordForm onIn={onIn} />
        </div>
      ) : (
        <Button variant="ghost" size="lg" block className="mt-2" onClick={() => setByPassword(true)}>
          {t('byPassword')}
        </Button>
      )}
    </DoorFrame>
  )
}

function PasswordForm({ onIn }: { readonly onIn: () => void }) {
  const t = useTexts(accessTexts)
  const [mail, setMail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [byRecovery, setByRecovery] = useState(false)
  const { run, isRunning, failure } = useSubmit()
  const isReady = mail.includes('@') && password !== '' && code.trim().length >= 6
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        void run(async () => {
          startSession((await api.signIn({ mail: mail.trim(), password, code: code.replaceAll(' ', '') })).token)
          onIn()
        })
      }}
    >
      <TextField label={t('mail')} type="email" autoComplete="username" value={mail} onChange={(event) => setMail(event.target.value)} maxLength={254} />
      <PasswordField label={t('password')} autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} />
      <TextField
        key={String(byRecovery)}
        label={t(byRecovery ? 'recoveryCode' : 'code')}
        hint={t(byRecovery ? 'recoveryHint' : 'codeHint')}
        error={failure?.message}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        inputMode={byRecovery ? 'text' : 'numeric'}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        maxLength={byRecovery ? 11 : 7}
        className="num"
        aside={
          <button
            type="button"
            className="link text-12"
            onClick={() => {
              setCode('')
              setByRecovery(!byRecovery)
            }}
          >
            {t(byRecovery ? 'useCode' : 'useRecovery')}
          </button>
        }
      />
      <Button type="submit" size="lg" block loading={isRunning} disabled={!isReady}>
        {t('enter')}
      </Button>
    </form>
  )
}
