import { useTexts } from '#platform/web/i18n.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useConsoleFormatter } from '../kit/format.ts'
import { customerTexts } from './texts.ts'

interface RowProps {
  readonly row: Readonly<Record<string, unknown>>
}

/** Button that pauses or resumes an API key; a deleted key has none. */
export function KeyAction({ row }: RowProps) {
  const t = useTexts(customerTexts)
  if (row['state'] === 'deleted') return null
  const paused = row['state'] === 'paused'
  return (
    <CommandButton
      name={paused ? 'key.resume' : 'key.pause'}
      word={t(paused ? 'resumeKey' : 'pauseKey')}
      input={{ keyId: row['keyId'] }}
      about={`${String(row['name'])} …${String(row['last4'])}`}
      variant="ghost"
    />
  )
}

/** Buttons that pin and remove a note. */
export function NoteActions({ row }: RowProps) {
  const t = useTexts(customerTexts)
  const input = { noteId: row['id'] }
  const about = <bdi className="line-clamp-2 [overflow-wrap:anywhere]">{String(row['text'])}</bdi>
  const pinned = row['pinned'] === true
  return (
    <span className="inline-flex flex-wrap justify-end">
      <CommandButton name="customer.pin-note" word={t(pinned ? 'unpin' : 'pin')} input={{ ...input, pinned: !pinned }} about={about} variant="ghost" />
      <CommandButton name="customer.remove-note" word={t('remove')} input={input} about={about} variant="ghost" />
    </span>
  )
}

/** Resends a stored mail. The operator sees only the name of its template. */
export function NoticeAction({ row, userId }: RowProps & { readonly userId: string }) {
  const t = useTexts(customerTexts)
  const say = useConsoleFormatter()
  if (row['isKept'] !== true) return null
  return (
    <CommandButton
      name="notice.resend"
      word={t('resend')}
      input={{ user: userId, noticeId: row['id'] }}
      about={say.action(String(row['template']))}
      variant="ghost"
    />
  )
}
