import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { RegistrationRow } from '../contract.ts'
import { registrationTexts } from '../texts.ts'
import { ApplyForm } from './apply-form.tsx'
import type { RegistrationCount } from './apply-form.tsx'
import { ACCOUNT_ORDER, REGISTRATION_TONES } from './words.ts'
import { REGISTRATION_REG_STATE_TEXT } from '../state-texts.ts'

const REG_CAUSE_TEXT = {
  ip_limit: 'regCause_ip_limit',
  mailbox_refused: 'regCause_mailbox_refused',
  account_exists: 'regCause_account_exists',
  code_missing: 'regCause_code_missing',
  too_late: 'regCause_too_late',
  not_done: 'regCause_not_done',
  not_paid: 'regCause_not_paid',
} as const

interface RegistrationStatusProps {
  readonly row: RegistrationRow
  readonly ahead: number
  readonly count: RegistrationCount
  readonly onNew: () => void
}

/** How one registration goes, and the one way on from where it stands. */
export function RegistrationStatus({ row, ahead, count, onNew }: RegistrationStatusProps) {
  const t = useTexts(registrationTexts)
  return (
    <div className="grid min-w-0 grid-cols-1 gap-5">
      <Receipt look="inline" label={row.account} className="[&>.receipt]:!px-6 mobile:[&>.receipt]:!px-5">
        <div className="flex min-h-8 items-center justify-between gap-3">
          <b>OpenAI</b>
          {row.state === 'success' ? (
            <Stamp text={t('regState_success')} className="!text-18" />
          ) : (
            <Badge tone={REGISTRATION_TONES[row.state]}>{t(REGISTRATION_REG_STATE_TEXT[row.state])}</Badge>
          )}
        </div>
        <ReceiptRule />
        <p className="text-13 text-fg-2">{t('regAccount')}</p>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="num min-w-0 text-18 font-medium break-all whitespace-normal">{row.account}</p>
          {row.state === 'success' ? <CopyButton text={row.account} size="md" /> : null}
        </div>
        <ReceiptRule />
        {row.state === 'registering' ? (
          <div className="grid gap-1" role="status">
            <p className="text-20 font-bold">{ahead ? t('regAhead', { count: String(ahead) }) : t('regFirst')}</p>
            <p className="text-13 text-fg-2">
              {count.half !== null && count.most !== null ? t('regTimesMeasured', { half: String(count.half), most: String(count.most) }) : t('regTimes')}
            </p>
            <p className="mt-2 text-13 text-fg-2">{t('regMail')}</p>
          </div>
        ) : null}
        {row.state === 'failed' && row.cause ? <p className="text-14">{t(REG_CAUSE_TEXT[row.cause])}</p> : null}
        {row.state === 'registering' || (row.state === 'failed' && row.cause) ? <ReceiptRule /> : null}
        <ReceiptRow label={t('regAttempt', { n: String(row.attempt) })} value={displayTime(row.createdTime).slice(5)} />
        <ReceiptRow label={t('regCharged')} value={displayUsd(row.charged)} />
      </Receipt>
      {row.state === 'draft' ? (
        <div className="grid gap-2">
          <Button size="lg" block onClick={() => openDialog('recharge', { ask: { orderType: ACCOUNT_ORDER, amount: row.amount, service: row.id } })}>
            {t('regPay')}
          </Button>
          <Button variant="ghost" onClick={onNew}>
            {t('regOther')}
          </Button>
        </div>
      ) : null}
      {row.state === 'failed' && row.cause !== 'account_exists' && row.cause !== 'mailbox_refused' ? (
        <section className="grid gap-3">
          <h2 className="text-16 font-bold">{t('regAgain')}</h2>
          {row.passwordUntil ? null : <p className="text-13 text-fg-2">{t('regAgainAbout')}</p>}
          <ApplyForm count={count} again={row} onDone={() => undefined} />
        </section>
      ) : null}
      {row.state === 'success' || row.state === 'failed' ? (
        <Button variant="secondary" onClick={onNew}>
          {t('regNew')}
        </Button>
      ) : null}
    </div>
  )
}
