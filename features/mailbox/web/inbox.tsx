import { Paperclip } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import type { Mailbox, MailRow } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import { MailSheet } from './mail-sheet.tsx'
import { useMails } from './use-mailbox.ts'

/** Received mails, newest first, with their codes; an opened mail replaces the list. */
export function Inbox({ box }: { readonly box: Mailbox }) {
  const t = useTexts(mailboxTexts)
  const [shown, show] = useQueryParam<string>('mail', '')
  const list = useMails(box.id)
  const rows = list.data?.pages.flatMap((page) => page.rowList) ?? []
  if (shown) return <MailSheet id={shown} boxId={box.id} onClose={() => show('')} />
  return (
    <section aria-label={t('inbox')} className="min-w-0">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-16 font-bold">{t('inbox')}</h2>
        <Live />
      </div>
      {list.isError && !rows.length ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <div className="card overflow-hidden">
          {list.isPending ? <SkeletonRows /> : null}
          {!list.isPending && !rows.length ? <EmptyState title={t('inboxEmpty')} body={t('inboxEmptyAbout', { address: box.address })} /> : null}
          <ul>
            {rows.map((row) => (
              <Row key={row.id} row={row} onOpen={() => show(row.id)} />
            ))}
          </ul>
        </div>
      )}
      {list.hasNextPage ? <ListEnd hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} /> : null}
    </section>
  )
}

function Live() {
  const t = useTexts(mailboxTexts)
  const online = useOnline()
  return (
    <span className={`inline-flex items-center gap-2 text-13 font-medium ${online ? 'text-brand-text' : 'text-fg-3'}`} role="status">
      <span className={`size-2 rounded-full ${online ? 'bg-brand ring-4 ring-brand-soft' : 'bg-fg-3'}`} aria-hidden="true" />
      {online ? t('boxLive') : t('boxOffline', { time: displayTime(Date.now(), 'second').slice(11) })}
    </span>
  )
}

function Row({ row, onOpen }: { readonly row: MailRow; readonly onOpen: () => void }) {
  const t = useTexts(mailboxTexts)
  const today = displayTime(Date.now(), 'day') === displayTime(row.sendTime, 'day')
  const weight = row.isRead ? '' : 'font-semibold'
  return (
    <li className="flex items-center gap-2 border-t border-line first:border-t-0 hover:bg-sunken">
      <button type="button" onClick={onOpen} className="grid min-w-0 flex-1 gap-0.5 px-5 py-3 text-left outline-offset-[-2px] mobile:px-4">
        <span className="flex items-baseline justify-between gap-3">
          <span className={`min-w-0 truncate text-14 ${weight}`}>
            {row.isRead ? null : <span className="mr-2 inline-block size-2 rounded-full bg-brand" aria-hidden="true" />}
            {row.senderName || row.sender}
          </span>
          <span className="num shrink-0 text-12 text-fg-3">{today ? displayTime(row.sendTime, 'second').slice(11) : displayTime(row.sendTime).slice(5)}</span>
        </span>
        <span className={`truncate text-14 ${weight}`}>{row.subject || t('noSubject')}</span>
        <span className="flex min-w-0 items-center gap-1.5 text-13 text-fg-3">
          {row.files ? <Paperclip size={13} strokeWidth={1.75} aria-hidden="true" className="shrink-0" /> : null}
          <span className="truncate">{row.content}</span>
        </span>
      </button>
      {row.code ? (
        <CopyButton text={row.code} word={row.code} label={t('copyMailCode', { code: row.code })} size="md" className="num mr-4 shrink-0 mobile:mr-3" />
      ) : null}
    </li>
  )
}
