import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useTitle } from '#platform/web/title.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { mailboxTexts } from '../texts.ts'
import { ApplyMailbox, EMAIL_ORDER } from './apply.tsx'
import { BoxCard } from './box-card.tsx'
import { Inbox } from './inbox.tsx'
import { MailboxLogin } from './login.tsx'
import { SetMailboxPassword } from './set-password.tsx'
import { refreshMailboxes, useMailboxes, useMailboxCount, useLiveMailbox } from './use-mailbox.ts'
import { MAILBOX_BOX_STATE_TEXT } from '../state-texts.ts'

/** /email: ask for a mailbox, give it a password, read what comes. */
export function MailboxPage() {
  const t = useTexts(mailboxTexts)
  useTitle(t('boxTitle'))
  const boxes = useMailboxes()
  const count = useMailboxCount()
  const [asked, setAsked] = useQueryParam<string>('box', '')
  const [isNew, setNew] = useState(false)
  const box = boxes.data?.find(({ id }) => id === asked) ?? boxes.data?.find(({ state }) => state === 'success') ?? boxes.data?.[0]
  useLiveMailbox(box)
  // a mailbox that waits for its money is in no list: the one that failed, or the form, is shown until it is paid
  useEffect(() => onPaid(({ orderType }) => (orderType === EMAIL_ORDER ? refreshMailboxes() : undefined)), [])
  if (!boxes.data || !count.data) {
    const failed = [boxes, count].find(({ isError, data }) => isError && !data)
    return (
      <div className="min-w-0">
        <h1 className="mb-5 text-20 font-bold">{t('boxTitle')}</h1>
        {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <Skeleton className="h-96" />}
      </div>
    )
  }
  const choose = (id: string) => {
    setAsked(id)
    setNew(false)
  }
  const minutes = count.data.minutes
  return (
    <div className="min-w-0">
      <header className="mb-5 flex flex-wrap items-end justify-between gap-3">
        <h1 className="text-20 font-bold">{t('boxTitle')}</h1>
        {box && !isNew ? (
          <div className="flex flex-wrap items-end gap-2">
            {boxes.data.length > 1 ? (
              <PickField
                label={t('otherBox')}
                hideLabel
                className="w-64"
                value={box.id}
                onChange={choose}
                options={boxes.data.map((one) => ({ value: one.id, label: `${one.address} · ${t(MAILBOX_BOX_STATE_TEXT[one.state])}` }))}
              />
            ) : null}
            <Button variant="secondary" onClick={() => setNew(true)}>
              <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
              {t('newBox')}
            </Button>
          </div>
        ) : null}
      </header>
      {!box || isNew ? (
        <ApplyMailbox count={count.data} onMade={choose} onBack={box ? () => setNew(false) : undefined} />
      ) : (
        <div className="grid items-start gap-8 desktop:grid-cols-[minmax(0,340px)_minmax(0,1fr)]">
          <BoxCard box={box} minutes={minutes} onMade={choose} />
          <div className="min-w-0">
            {box.state === 'fresh' ? <SetMailboxPassword box={box} minutes={minutes} /> : null}
            {box.state === 'success' && !box.isOpen ? <MailboxLogin box={box} /> : null}
            {box.state === 'success' && box.isOpen ? <Inbox box={box} /> : null}
          </div>
        </div>
      )}
    </div>
  )
}
