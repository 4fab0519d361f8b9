import { Paperclip, ArrowLeft, ShieldAlert, ShieldCheck, ShieldQuestion, Trash2 } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ListEnd } from '#ui/list-end.tsx'
import { SkeletonRows, Skeleton } from '#ui/skeleton.tsx'
import type { Mailbox, MailRow, MailPage } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import { useMails, mailboxApi, refreshMailboxes, refreshMails, useMail } from './use-mailbox.ts'
import { Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'

interface MailSheetProps {
  readonly id: string
  readonly boxId: string
  readonly onClose: () => void
}

/** One mail: its sender with the check results, its content in a sandboxed frame, its files. */
function MailSheet({ id, boxId, onClose }: MailSheetProps) {
  const t = useTexts(mailboxTexts)
  const { data: mail, isError, error, refetch } = useMail(id)
  const remove = async () => {
    if (!(await confirm({ title: t('deleteTitle'), body: t('deleteBody'), action: t('deleteMail'), danger: true }))) return
    try {
      await mailboxApi.emailDelete({ id })
      onClose()
      refreshMails(boxId)
      refreshMailboxes()
    } catch (problem) {
      toast.error((problem as Error).message)
    }
  }
  return (
    <article aria-label={mail?.row.subject || t('mailFrame')} className="min-w-0">
      <div className="mb-3 flex items-center justify-between gap-3">
        <button
          type="button"
          onClick={onClose}
          className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-control pr-3 pl-1 text-14 text-fg-2 hover:text-fg"
        >
          <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('inbox')}
        </button>
        <Button variant="ghost" onClick={() => void remove()}>
          <Trash2 size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('deleteMail')}
        </Button>
      </div>
      {isError && !mail ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!mail && !isError ? <Skeleton className="h-96" /> : null}
      {mail ? <OpenMail mail={mail} /> : null}
    </article>
  )
}

function OpenMail({ mail }: { readonly mail: MailPage }) {
  const t = useTexts(mailboxTexts)
  const { row, text, page, blocked, files } = mail
  return (
    <div className="card overflow-hidden">
      <header className="grid gap-2 border-b border-line p-5 mobile:p-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h2 className="min-w-0 text-18 font-bold break-words">{row.subject || t('noSubject')}</h2>
          {row.code ? (
            <CopyButton text={row.code} word={row.code} label={t('copyMailCode', { code: row.code })} variant="primary" size="md" className="num" />
          ) : null}
        </div>
        <p className="text-14 break-all">
          {row.senderName ? <b>{row.senderName} </b> : null}
          <span className="num text-13 text-fg-2">{row.sender}</span>
        </p>
        <SenderProof row={row} />
        <p className="num text-12 break-all whitespace-normal text-fg-3">
          {displayTime(row.sendTime, 'second')} · {row.recipient}
        </p>
      </header>
      {page ? (
        <iframe
          src={page}
          title={t('mailFrame')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          className="block h-[min(64vh,640px)] w-full bg-white"
        />
      ) : (
        <p className="p-5 text-14 break-words whitespace-pre-wrap mobile:p-4">{text}</p>
      )}
      {blocked || files.length ? (
        <footer className="grid gap-3 border-t border-line p-5 text-13 mobile:p-4">
          {blocked ? <p className="text-fg-2">{t('blockedNote', { count: String(blocked) })}</p> : null}
          {files.length ? (
            <div>
              <ul className="grid gap-1" aria-label={t('mailFiles')}>
                {files.map((file) => (
                  <li key={file.url}>
                    <a href={file.url} download={file.name} className="link inline-flex max-w-full items-center gap-1.5 mobile:min-h-11">
                      <Paperclip size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
                      <span className="truncate">{file.name}</span>
                      <span className="num shrink-0 text-fg-3">{t('fileSize', { size: String(Math.max(1, Math.round(file.size / 1000))) })}</span>
                    </a>
                  </li>
                ))}
              </ul>
              <p className="mt-1 text-fg-3">{t('fileWarning')}</p>
            </div>
          ) : null}
        </footer>
      ) : null}
    </div>
  )
}

const VERDICTS = {
  verified: { Icon: ShieldCheck, text: 'auth_good', tone: 'text-success' },
  unverified: { Icon: ShieldQuestion, text: 'auth_none', tone: 'text-fg-2' },
  forged: { Icon: ShieldAlert, text: 'auth_bad', tone: 'text-danger' },
} as const

/** The server's verdict on the sender, with the results of the checks. A server of an earlier version sends no verdict. */
function SenderProof({ row: { auth, verdict } }: { readonly row: MailRow }) {
  const t = useTexts(mailboxTexts)
  const { Icon, text, tone } = VERDICTS[(verdict as MailRow['verdict'] | undefined) ?? 'unverified']
  return (
    <p className={`flex flex-wrap items-center gap-x-2 text-13 ${tone}`}>
      <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
      <span className="font-medium">{t(text)}</span>
      <span className="text-12 text-fg-3">{t('authFacts', auth)}</span>
    </p>
  )
}

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
