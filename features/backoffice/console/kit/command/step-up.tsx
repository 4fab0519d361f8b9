import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { startSession } from '#platform/web/state/session.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { accessContract } from '../../../contract.console.ts'
import { createConsoleApi } from '../api.ts'
import { canUsePasskey, signWithPasskey } from '../passkey.ts'
import { kitTexts } from '../texts.ts'
import { resolveStepUp } from './step-up-store.ts'

const api = createConsoleApi({ stepUp: accessContract.stepUp, challenge: accessContract.stepUpChallenge })

/** Dialog for a passkey or a code when a command requires step-up authentication; above every other dialog. */
export function OperatorStepUp() {
  const t = useTexts(kitTexts)
  const [code, setCode] = useState('')
  const { run, isRunning, failure, clear } = useSubmit()
  const done = (token: string) => {
    startSession(token)
    resolveStepUp(true)
  }
  const byPasskey = () =>
    run(async () => {
      const { id, options } = await api.challenge()
      const credential = await signWithPasskey(options)
      if (credential) done((await api.stepUp({ id, credential })).token)
    }).catch(() => undefined)
  const byCode = () => run(async () => done((await api.stepUp({ code: code.trim() })).token))
  return (
    <Dialog
      open
      above
      size="sm"
      onClose={() => resolveStepUp(false)}
      title={t('stepUpTitle')}
      description={t('stepUpBody')}
      footer={
        <>
          <Button variant="secondary" size="lg" onClick={() => resolveStepUp(false)}>
            {t('cancel')}
          </Button>
          <Button type="submit" form="step-up" size="lg" loading={isRunning} disabled={code.trim().length < 6}>
            {t('stepUpDo')}
          </Button>
        </>
      }
    >
      <form
        id="step-up"
        className="grid grid-cols-1 gap-4 pb-2"
        onSubmit={(event) => {
          event.preventDefault()
          void byCode()
        }}
      >
        {canUsePasskey() ? (
          <Button variant="secondary" size="lg" block onClick={() => void byPasskey()} loading={isRunning}>
            <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('withPasskey')}
          </Button>
        ) : null}
        <TextField
          label={t('oneTimeCode')}
          hint={t('oneTimeCodeHint')}
          error={failure?.message}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={11}
          className="num"
          value={code}
          onChange={(event) => {
            clear()
            setCode(event.target.value)
          }}
        />
      </form>
    </Dialog>
  )
}
