import { useEffect, useRef, useState } from 'react'
import { usePayPasswordStore } from '#platform/web/state/request-pay-password.ts'
import { preloadCaptcha } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { readStored } from '#platform/web/state/storage.ts'
import { securityTexts } from '../../texts-security.ts'
import { useCurrentUser, type Me } from '../use-me.ts'
import { WithMe, TypingDialog, useNamedDialog, withQueries } from './frame.tsx'
import { AskPayPassword } from './pay-password-ask.tsx'
import { ModifyPayPassword } from './pay-password-modify.tsx'
import { NewPayPassword } from './pay-password-new.tsx'
import type { PayMode } from './pay-mode.ts'
import { RESET_FLAG } from './pay-reset-flag.ts'

const PAY_TITLE_TEXT = { input: 'pay_title_input', set: 'pay_title_set', reset: 'pay_title_reset', modify: 'pay_title_modify' } as const satisfies Record<
  PayMode,
  keyof typeof securityTexts.zh
>

/** `openDialog('payPassword')` from the settings: set, change or reset it. */
export const PayPasswordDialog = withQueries(function PayPasswordDialog() {
  const t = useTexts(securityTexts)
  const { open, props, close, turn } = useNamedDialog('payPassword')
  const [mode, setMode] = useState<PayMode>()
  const user = useCurrentUser().data
  const asked = props?.mode
  useEffect(() => setMode(asked), [asked, turn])
  return (
    <TypingDialog open={open} onClose={close} title={t(PAY_TITLE_TEXT[resolvePayMode(mode ?? 'modify', user)])}>
      <WithMe key={turn}>{(me) => <PaySteps me={me} mode={toStepsMode(resolvePayMode(mode ?? 'modify', me))} onMode={setMode} onDone={close} />}</WithMe>
    </TypingDialog>
  )
})

/** `requestPayPassword()` from anywhere: the six digits, checked by the server. */
export const PayPasswordHost = withQueries(function PayPasswordHost() {
  const t = useTexts(securityTexts)
  const asked = usePayPasswordStore((state) => state.asked)
  const [mode, setMode] = useState<PayMode>('input')
  const user = useCurrentUser().data
  const last = useRef(asked)
  const turn = useRef(0)
  if (asked && asked !== last.current) {
    last.current = asked
    turn.current++
  }
  useEffect(() => {
    if (!asked) return
    preloadCaptcha()
    setMode(readStored(RESET_FLAG) ? 'reset' : 'input')
  }, [asked])
  const answer = (password?: string) => (asked ?? last.current)?.answer(password)
  return (
    <TypingDialog above open={asked !== undefined} onClose={() => answer()} title={t(PAY_TITLE_TEXT[resolvePayMode(mode, user)])}>
      <WithMe key={turn.current}>
        {(me) =>
          resolvePayMode(mode, me) === 'input' ? (
            <AskPayPassword onRight={answer} onMode={setMode} />
          ) : (
            <PaySteps me={me} mode={toStepsMode(resolvePayMode(mode, me))} onMode={setMode} onDone={answer} />
          )
        }
      </WithMe>
    </TypingDialog>
  )
})

/** Without a payment password there is nothing to enter, change or reset; with one, nothing to set. */
function resolvePayMode(mode: PayMode, me: Me | undefined): PayMode {
  if (!me) return mode
  if (!me.existPayPassword) return 'set'
  return mode === 'set' ? 'modify' : mode
}

const toStepsMode = (mode: PayMode) => (mode === 'input' ? 'modify' : mode)

interface PayStepsProps {
  readonly me: Me
  readonly mode: Exclude<PayMode, 'input'>
  readonly onMode: (mode: PayMode) => void
  readonly onDone: (password: string) => void
}

function PaySteps({ me, mode, onMode, onDone }: PayStepsProps) {
  return mode === 'modify' ? <ModifyPayPassword onMode={onMode} onDone={onDone} /> : <NewPayPassword key={mode} me={me} mode={mode} onDone={onDone} />
}
