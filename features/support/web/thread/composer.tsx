import { SendHorizontal } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { cleanText, TEXT_MAX } from '../../contract.ts'
import { supportPageTexts } from '../../texts.ts'
import { storeDraft, readDraft } from './outbox.ts'
import { sendText } from './sending.ts'

const NEAR_END = 200

/** Counts characters as users perceive them. */
export const countMessageLength = (text: string) => [...cleanText(text)].length

/** Enter sends, except during input method composition, and on phones, where it inserts a line break. */
export function isSendKey(event: KeyboardEvent, mobile: boolean): boolean {
  return event.key === 'Enter' && !event.shiftKey && !mobile && !event.nativeEvent.isComposing && event.keyCode !== 229
}

export function Composer({ conversationId, onSent }: { readonly conversationId: string; readonly onSent: () => void }) {
  const t = useTexts(supportPageTexts)
  const mobile = useIsMobile()
  const online = useOnline()
  const [text, setText] = useState(() => readDraft(conversationId))
  const field = useRef<HTMLTextAreaElement>(null)
  const over = countMessageLength(text) - TEXT_MAX
  const ready = cleanText(text) !== '' && over <= 0

  useEffect(() => fitHeight(field.current), [text])
  const change = (next: string) => {
    setText(next)
    storeDraft(conversationId, next)
  }
  const send = () => {
    if (!ready) return
    sendText(conversationId, cleanText(text))
    change('')
    field.current?.focus()
    onSent()
  }
  return (
    <form
      className="border-t border-dashed border-line bg-surface px-4 py-3"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {online ? null : (
        <p role="status" className="mb-2 text-12 text-warning">
          {t('offline')}
        </p>
      )}
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label={t('composer_label')}
          aria-describedby="support-count"
          aria-invalid={over > 0 || undefined}
          placeholder={t('composer_placeholder')}
          enterKeyHint={mobile ? 'enter' : 'send'}
          className="input support-composer flex-1 resize-none"
          onChange={(event) => change(event.target.value)}
          onKeyDown={(event) => {
            if (!isSendKey(event, mobile)) return
            event.preventDefault()
            send()
          }}
        />
        <button type="submit" aria-disabled={!ready} aria-label={t('composer_send')} title={t('composer_send')} className="btn btn-primary support-send">
          <SendHorizontal size={18} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </div>
      <RemainingCount id="support-count" over={over} hint={mobile ? undefined : t('composer_hint')} />
    </form>
  )
}

/** The hint, and near the limit the number of characters left. */
export function RemainingCount({ id, over, hint }: { readonly id: string; readonly over: number; readonly hint?: string | undefined }) {
  const t = useTexts(supportPageTexts)
  return (
    <p id={id} aria-live="polite" className={`mt-1.5 text-12 empty:hidden ${over > 0 ? 'text-danger' : 'text-fg-3'}`}>
      {over > 0 ? t('composer_over', { n: over }) : over > -NEAR_END ? t('composer_left', { n: -over }) : hint}
    </p>
  )
}

/** Grows with its text up to six lines, then scrolls. */
function fitHeight(field: HTMLTextAreaElement | null): void {
  if (!field) return
  field.style.height = 'auto'
  field.style.height = `${Math.min(field.scrollHeight + 2, 156)}px`
}
