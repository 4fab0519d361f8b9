import { useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CodeField } from '#ui/fields/code-field.tsx'
import { VERIFY_CODE_LENGTH } from '../../contract.ts'
import { accountTexts } from '../../texts.ts'
import { useSendCode, type SendCodeReply } from './use-send-code.ts'

interface CodeRowProps {
  readonly purpose: string
  /** Destination of the code as displayed: an e-mail or a grouped number. Empty while the field above is invalid. */
  readonly target: string
  readonly by: 'mail' | 'sms'
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onComplete?: () => void
  readonly error: string | undefined
  /** Validates the field above and focuses it if it is invalid. */
  readonly check?: () => boolean
  /** Sends the code; undefined if the user closed the captcha. */
  readonly send: () => Promise<SendCodeReply | undefined>
}

/** Six digit boxes and the send button with its countdown. */
export function CodeRow({ purpose, target, by, value, onChange, onComplete, error, check, send }: CodeRowProps) {
  const t = useTexts(accountTexts)
  const code = useSendCode(`${purpose} ${target}`)
  const box = useRef<HTMLDivElement>(null)
  const ask = async () => {
    if (check && !check()) return
    onChange('')
    // do not move the focus of a user who is already typing
    if ((await code.send(send)) && !box.current?.contains(document.activeElement?.matches('input') ? document.activeElement : null))
      box.current?.querySelector('input')?.focus()
  }
  const busy = code.sending || code.left > 0
  const sent =
    code.minutes === undefined || target === '' ? undefined : t(by === 'mail' ? 'auth_code_mailed' : 'auth_code_texted', { target, minutes: code.minutes })
  return (
    <div ref={box}>
      <CodeField
        label={t(by === 'mail' ? 'auth_code' : 'auth_code_sms')}
        value={value}
        onChange={onChange}
        length={VERIFY_CODE_LENGTH}
        error={error ?? code.error}
        hint={sent}
        onComplete={onComplete}
        aside={
          <button
            type="button"
            onClick={() => void ask()}
            disabled={busy}
            aria-busy={code.sending || undefined}
            className="tabular rounded-tag text-14 font-semibold text-brand-text underline-offset-4 hover:underline disabled:font-medium disabled:text-fg-3 disabled:no-underline mobile:-my-2.5 mobile:min-h-11"
          >
            {code.sending ? <span className="spinner mr-1.5 inline-block align-[-2px]" aria-hidden="true" /> : null}
            {code.left > 0 ? t('auth_code_again', { seconds: code.left }) : code.minutes === undefined ? t('auth_code_send') : t('auth_code_resend')}
          </button>
        }
      />
    </div>
  )
}
