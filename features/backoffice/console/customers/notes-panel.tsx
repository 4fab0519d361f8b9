import { useQuery } from '@tanstack/react-query'
import { Pin } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useAddress } from '../kit/address.ts'
import { openCommand } from '../kit/command/command-store.ts'
import { useOperatorName } from '../kit/operators.ts'
import { ConsolePanel } from '../kit/page.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import type { Customer } from './customer.ts'
import { customersApi } from './customers-api.ts'
import { customerTexts } from './texts.ts'

const VISIBLE_NOTES = 3

/** Operators' notes about the customer: pinned first, then newest first. */
export function NotesPanel({ customer: { userId, name, counts } }: { readonly customer: Customer }) {
  const t = useTexts(customerTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [, set] = useAddress()
  const read = useQuery({
    queryKey: ['customer-notes', userId],
    queryFn: ({ signal }) => customersApi.customerNotes({ userId, limit: VISIBLE_NOTES }, { signal }),
  })
  const rows = read.data?.rows ?? []
  return (
    <ConsolePanel title={t('notes')}>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : null}
      {read.isPending ? <SkeletonRows rows={2} /> : null}
      {read.data && !rows.length ? <p className="py-1 text-13 text-fg-3">{t('noNotes')}</p> : null}
      <ul className="divide-y divide-line">
        {rows.map((note) => (
          <li key={note.id} className="py-2 text-13">
            <NoteText text={note.text} pinned={note.pinned} />
            <p className="text-12 text-fg-3">
              {nameOf(note.madeBy)} · <span className="num">{displayTime(note.at)}</span>
            </p>
          </li>
        ))}
      </ul>
      <div className="mt-1 flex flex-wrap gap-x-4 text-13">
        {may('customers.note') ? (
          <button type="button" className="link" onClick={() => openCommand({ name: 'customer.note', input: { user: userId }, about: name || userId })}>
            {t('addNote')}
          </button>
        ) : null}
        {(counts['notes'] ?? 0) > 0 ? (
          <button type="button" className="link" onClick={() => set({ tab: 'notes' })}>
            {t('allNotes', { n: counts['notes']! })}
          </button>
        ) : null}
      </div>
    </ConsolePanel>
  )
}

/** Note text as written, with its line breaks; text direction is isolated to the note. */
export function NoteText({ text, pinned }: { readonly text: string; readonly pinned: boolean }) {
  const t = useTexts(customerTexts)
  return (
    <div className="flex max-w-[80ch] min-w-0 items-start gap-1.5">
      {pinned ? (
        <>
          <Pin size={14} strokeWidth={1.75} className="mt-0.5 shrink-0 text-warning" aria-hidden="true" />
          <span className="sr-only">{t('pinnedNote')}</span>
        </>
      ) : null}
      <bdi className="block min-w-0 text-left whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</bdi>
    </div>
  )
}
