import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import type { Tone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { Mailbox } from '../contract.ts'
import { mailboxTexts } from '../texts.ts'
import type { BoxState } from '../words.ts'
import { EMAIL_ORDER } from './apply.tsx'
import { mailboxApi, refreshMailboxes, cacheMailbox, useMailboxCount } from './use-mailbox.ts'
import { MAILBOX_BOX_STATE_TEXT } from '../state-texts.ts'
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

/** The mailbox itself: its address, how long it is good for, and what can be done with it. */
export function BoxCard({ box, minutes, onMade }: BoxCardProps) {
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
