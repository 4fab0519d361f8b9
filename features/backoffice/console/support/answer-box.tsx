import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { supportDeskTexts } from './texts.ts'

const NAME_TEXT = {
  canned_received: 'canned_received_name',
  canned_refund: 'canned_refund_name',
  canned_invoice: 'canned_invoice_name',
  canned_key: 'canned_key_name',
} as const

/** Text that looks like an API key, a card number or a code; an answer must not contain it. */
const SECRET = /\b(?:sk-[\w-]{16,}|op[sti]_[\w-]{20,}|AIza[\w-]{20,}|(?:\d[ -]?){15,18}\d)\b/
const CANNED = ['canned_received', 'canned_refund', 'canned_invoice', 'canned_key'] as const

interface AnswerProps {
  readonly command: 'conversation.answer' | 'complaint.answer'
  readonly input: Readonly<Record<string, unknown>>
  readonly about: string
  readonly onDone: () => void
}

/** Answer form with canned texts; blocks secrets before they are sent. */
export function AnswerBox({ command, input, about, onDone }: AnswerProps) {
  const t = useTexts(supportDeskTexts)
  const [text, setText] = useState('')
  const isSecret = SECRET.test(text)
  return (
    <form
      className="grid w-full gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        openCommand({
          name: command,
          input: { ...input, text: text.trim() },
          about,
          onDone: () => {
            setText('')
            onDone()
          },
        })
      }}
    >
      <div className="flex flex-wrap gap-1.5" role="group" aria-label={t('canned')}>
        {CANNED.map((key) => (
          <button key={key} type="button" className="tag hover:text-brand-text" onClick={() => setText((old) => (old ? `${old}\n${t(key)}` : t(key)))}>
            {t(NAME_TEXT[key])}
          </button>
        ))}
      </div>
      <textarea
        className="input"
        rows={4}
        maxLength={4000}
        aria-label={t('answer')}
        placeholder={t(command === 'complaint.answer' ? 'answerByMail' : 'answerHere')}
        value={text}
        aria-invalid={isSecret || undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex items-center justify-between gap-3">
        <p className="text-12 text-danger" aria-live="polite">
          {isSecret ? (
            <span className="inline-flex items-center gap-1.5">
              <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" />
              {t('secretFound')}
            </span>
          ) : null}
        </p>
        <Button type="submit" size="lg" disabled={!text.trim() || isSecret}>
          {t(command === 'complaint.answer' ? 'answerAndClose' : 'send')}
        </Button>
      </div>
    </form>
  )
}
