import { useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { CodeField } from '#ui/code-field.tsx'
import { CODE_LENGTH, type CodePurpose } from '../contract.ts'
import { accountTexts } from '../texts.ts'
import { useSendCode } from './use-send-code.ts'

interface CodeRowProps {
  readonly purpose: CodePurpose
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onComplete?: () => void
  readonly error: string | undefined
  /** Checks the e-mail field and gives it, or nothing when it is wrong. */
  readonly email: () => Promise<string | undefined>
}

/** Six boxes, and the button that sends the code, with its countdown. */
export function CodeRow({ purpose, value, onChange, onComplete, error, email }: CodeRowProps) {
  const t = useTexts(accountTexts)
  const code = useSendCode(purpose)
  const box = useRef<HTMLDivElement>(null)
  const ask = async () => {
    const address = await email()
    if (address && (await code.send(address))) box.current?.querySelector('input')?.focus()
  }
  const busy = code.sending || code.left > 0
  return (
    <div ref={box}>
      <CodeField
        label={t('auth_code')}
        value={value}
        onChange={onChange}
        length={CODE_LENGTH}
        error={error ?? code.error}
        hint={code.sent ? t('auth_code_sent', { ...code.sent }) : undefined}
        onComplete={onComplete}
        aside={
          <button
            type="button"
            onClick={() => void ask()}
            disabled={busy}
            className="tabular rounded-tag text-14 font-medium text-brand-text hover:underline disabled:text-fg-3 disabled:no-underline mobile:-my-2.5 mobile:min-h-11"
          >
            {code.sending ? <span className="spinner mr-1.5 inline-block align-[-2px]" aria-hidden="true" /> : null}
            {code.left > 0 ? t('auth_code_again', { seconds: code.left }) : t('auth_code_send')}
          </button>
        }
      />
    </div>
  )
}
