import { Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FormEvent } from 'react'
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
import { Inbox } from './inbox.tsx'
import { refreshMailboxes, useMailboxes, useMailboxCount, useLiveMailbox, mailboxApi, cacheMailbox } from './use-mailbox.ts'
import { MAILBOX_BOX_STATE_TEXT } from '../state-texts.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import type { Mailbox } from '../contract.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import { MAILBOX_PASSWORD_LENGTH } from '../words.ts'
import type { BoxState } from '../words.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { resolveTextKey } from '#platform/shared/texts.ts'

const BOX_CAUSE_TEXT = {
  no_server: 'boxCause_no_server',
  no_password: 'boxCause_no_password',
  given_up: 'boxCause_given_up',
  not_paid: 'boxCause_not_paid',
  time_up: 'boxCause_time_up',
  closed: 'boxCause_closed',
} as const

const TONES: Readonly<Record<BoxState, Tone>> = {
  draft: 'warning',
  generating: 'info',
  fresh: 'warning',
  success: 'success',
  failed: 'neutral',
  ended: 'neutral',
}

interface BoxCardProps {
  readonly box: Mailbox
  readonly minutes: number
  readonly onMade: (id: string) => void
}

/** The mailbox: its address, expiry and actions. */
function BoxCard({ box, minutes, onMade }: BoxCardProps) {
  const t = useTexts(mailboxTexts)
  const price = useMailboxCount().data?.price ?? ''
  const { run, isRunning } = useSubmit()
  const say = (error: unknown) => void toast.error((error as Error).message)
  const close = async () => {
    const ends = box.state === 'success'
    const words = ends
      ? { title: t('closeTitle', { address: box.address }), body: t('closeBody'), action: t('closeBox'), danger: true }
      : { title: t('giveUpTitle'), body: t('giveUpBody'), action: t('giveUp') }
    if (!(await confirm(words))) return
    await run(async () => {
      cacheMailbox(await mailboxApi.emailClose({ id: box.id }))
      refreshMailboxes()
    }).catch(say)
  }
  const again = () =>
    void run(async () => {
      const made = await mailboxApi.emailReapply({ id: box.id })
      cacheMailbox(made.box)
      refreshMailboxes()
      onMade(made.box.id)
      if (made.pay) openDialog('recharge', { ask: made.pay })
    }).catch(say)
  const live = box.state === 'success' || box.state === 'fresh'
  return (
    <Receipt look="inline" label={box.address} className="[&>.receipt]:!px-5">
      <div className="flex items-center justify-between gap-3">
        <Badge tone={TONES[box.state]}>{t(MAILBOX_BOX_STATE_TEXT[box.state])}</Badge>
        {box.unread ? <span className="text-13 font-medium text-brand-text">{t('unreadCount', { count: String(box.unread) })}</span> : null}
      </div>
      <p className={`num mt-3 text-16 leading-6 font-medium break-all whitespace-normal ${live ? '' : 'text-fg-3'}`}>{box.address}</p>
      {live ? <CopyButton text={box.address} label={t('copyAddress')} word={t('copyAddress')} variant="secondary" size="md" className="mt-2 w-full" /> : null}
      <ReceiptRule />
      {box.cause ? <p className="text-13 text-fg-2">{t(resolveTextKey(BOX_CAUSE_TEXT, box.cause), { minutes: String(minutes) })}</p> : null}
      {box.state === 'success' ? (
        <>
          <ReceiptRow label={t('takesUntil')} value={displayTime(box.expiresTime ?? box.createdTime, 'minute').slice(5)} />
          <ReceiptRow label={t('room')} value={t('roomUsed', { percent: String(box.full) })} />
        </>
      ) : null}
      {live && box.auxiliaryEmail ? <ReceiptRow label={t('auxiliary')} value={<span className="text-13 break-all">{box.auxiliaryEmail}</span>} /> : null}
      {box.state === 'draft' ? (
        <Button block onClick={() => openDialog('recharge', { ask: { orderType: EMAIL_ORDER, amount: price, service: box.id } })}>
          {t('payBox')}
        </Button>
      ) : null}
      {box.state === 'generating' ? (
        <p className="flex items-center gap-2 text-13 text-fg-2" role="status">
          <span className="spinner" aria-hidden="true" />
          {t('making')}
        </p>
      ) : null}
      {box.state === 'failed' ? (
        <Button block variant="secondary" loading={isRunning} className="mt-3" onClick={again}>
          {t('boxAgain')}
        </Button>
      ) : null}
      {live ? (
        <button type="button" className="link mt-3 text-13 text-fg-2 mobile:min-h-11" disabled={isRunning} onClick={close}>
          {t(box.state === 'success' ? 'closeBox' : 'giveUp')}
        </button>
      ) : null}
    </Receipt>
  )
}

/** Countdown of 15 minutes to choose a password, by the server's clock. */
function SetMailboxPassword({ box, minutes }: { readonly box: Mailbox; readonly minutes: number }) {
  const t = useTexts(mailboxTexts)
  const { run, isRunning, failure } = useSubmit()
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [tried, setTried] = useState(false)
  const left = useCountdown(Date.parse(box.deadlineTime ?? ''), refreshMailboxes)
  const weak =
    password.length < MAILBOX_PASSWORD_LENGTH.min ||
    password.length > MAILBOX_PASSWORD_LENGTH.max ||
    /^\d+$/.test(password) ||
    password.toLowerCase().includes(box.prefix)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (weak || password !== confirm) return
    void run(async () => {
      cacheMailbox(await mailboxApi.emailPassword({ id: box.id, password, confirm }))
      refreshMailboxes()
    }).catch(() => undefined)
  }
  const share = Math.min(1, left / (minutes * 60))
  return (
    <form onSubmit={submit} className="card grid max-w-[460px] gap-4 p-6 mobile:p-5" noValidate>
      <div>
        <h2 className="text-16 font-bold">{t('setTitle')}</h2>
        <p className="mt-1 text-13 text-fg-2">{t('setAbout')}</p>
      </div>
      <div>
        <p className="flex items-end justify-between text-13">
          <span className="text-fg-2">{t('setLeft')}</span>
          <span className="num text-20 font-medium" role="timer" aria-live="off">
            {formatClock(left)}
          </span>
        </p>
        <span className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
          <span className={`block h-full rounded-full ${share < 0.1 ? 'bg-warning' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
        </span>
      </div>
      <input type="text" name="username" autoComplete="username" value={box.address} readOnly hidden />
      <PasswordField
        label={t('boxPassword')}
        hint={t('boxPasswordHint')}
        error={tried && weak ? t('boxPasswordHint') : undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        autoComplete="new-password"
      />
      <PasswordField
        label={t('boxConfirm')}
        error={tried && confirm !== password ? t('boxConfirmWrong') : undefined}
        value={confirm}
        onChange={(event) => setConfirm(event.target.value)}
        autoComplete="new-password"
      />
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <Button type="submit" size="lg" block loading={isRunning}>
        {t('setDo')}
      </Button>
    </form>
  )
}

/** A session in which the password was not entered sees no mail. */
function MailboxLogin({ box }: { readonly box: Mailbox }) {
  const t = useTexts(mailboxTexts)
  const { run, isRunning, failure } = useSubmit()
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password) void run(async () => cacheMailbox(await mailboxApi.emailLogin({ id: box.id, password }))).catch(() => undefined)
  }
  return (
    <form onSubmit={submit} className="card grid max-w-[460px] gap-4 p-6 mobile:p-5">
      <div>
        <h2 className="text-16 font-bold">{t('loginTitle')}</h2>
        <p className="mt-1 text-13 text-fg-2">{t('loginAbout')}</p>
      </div>
      <input type="text" name="username" autoComplete="username" value={box.address} readOnly hidden />
      <PasswordField
        label={t('boxPassword')}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={failure?.message}
        autoComplete="current-password"
      />
      <Button type="submit" size="lg" block loading={isRunning}>
        {t('loginDo')}
      </Button>
    </form>
  )
}

/** /email: order a mailbox, set its password, read mail. */
export function MailboxPage() {
  const t = useTexts(mailboxTexts)
  useTitle(t('boxTitle'))
  const boxes = useMailboxes()
  const count = useMailboxCount()
  const [asked, setAsked] = useQueryParam<string>('box', '')
  const [isNew, setNew] = useState(false)
  const box = boxes.data?.find(({ id }) => id === asked) ?? boxes.data?.find(({ state }) => state === 'success') ?? boxes.data?.[0]
  useLiveMailbox(box)
  // A mailbox that awaits payment is in no list: until then, show the failed one or the form
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
