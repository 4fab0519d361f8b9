import { useEffect, useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { onPaid } from '#platform/web/state/paid.ts'
import { displayTime } from '#platform/web/time.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Badge } from '#ui/badge.tsx'
import { DataTable } from '#ui/data-table.tsx'
import type { Column } from '#ui/data-table.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { Skeleton, SkeletonRows } from '#ui/skeleton.tsx'
import type { RegistrationRow, registrationContract } from '../contract.ts'
import { registrationTexts } from '../texts.ts'
import { ACCOUNT_ORDER, REGISTRATION_TONES } from './words.ts'
import {
  refreshRegistrations,
  refreshAfterRegistration,
  useCurrentRegistration,
  useRegistrationCount,
  useRegistrations,
  registrationApi,
} from './use-registration.ts'
import { REGISTRATION_REG_STATE_TEXT } from '../state-texts.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { PasswordField } from '#ui/fields/password-field.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'

type RegistrationCount = ReplyOf<typeof registrationContract.openaiCount>
const MIN_PASSWORD_LENGTH = 12

interface ApplyFormProps {
  readonly count: RegistrationCount
  readonly onDone: () => void
  /** A failed attempt to retry: keeps its address, and its password while it is stored. */
  readonly again?: { readonly id: string; readonly account: string; readonly passwordUntil: string | null }
}

/** Form: address, password twice, and the price on the button. */
function ApplyForm({ count, onDone, again }: ApplyFormProps) {
  const t = useTexts(registrationTexts)
  const { run, isRunning, failure } = useSubmit()
  const [typed, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirm, setConfirm] = useState('')
  const [tried, setTried] = useState(false)
  const email = again?.account ?? typed.trim()
  const badMail = !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
  const weak =
    password.length < MIN_PASSWORD_LENGTH || /^\d+$/.test(password) || (!badMail && password.toLowerCase().includes(email.split('@')[0]!.toLowerCase()))
  const [typesPassword, setTypesPassword] = useState(!again?.passwordUntil)
  const closed = count.paused !== null || !count.isOpen
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (badMail || (typesPassword && (weak || password !== confirm)) || closed) return
    void run(async () => {
      const { pay } = await (again
        ? registrationApi.openaiReapply({ id: again.id, ...(typesPassword ? { password, confirm } : {}) })
        : registrationApi.openaiApply({ email, password, confirm }))
      refreshRegistrations()
      onDone()
      if (pay) openDialog('recharge', { ask: pay })
    })
      .then((refused) => refused?.errorName === 'REGISTRATION_PASSWORD_GONE' && setTypesPassword(true))
      .catch(() => undefined)
  }
  return (
    <form onSubmit={submit} className="grid min-w-0 grid-cols-1 gap-5" noValidate>
      {count.paused === null ? null : (
        <AlertBox kind="warning" title={t('regPaused')}>
          {count.paused || t('regPausedAbout')}
        </AlertBox>
      )}
      {count.paused === null && !count.isOpen ? (
        <AlertBox kind="info" title={t('regClosed')}>
          {t('regClosedAbout', { time: displayTime(count.opensTime) })}
        </AlertBox>
      ) : null}
      {again ? null : (
        <TextField
          label={t('regEmail')}
          hint={t('regEmailHint')}
          error={tried && badMail ? t('regEmailWrong') : undefined}
          value={typed}
          onChange={(event) => setEmail(event.target.value)}
          type="email"
          autoComplete="off"
          maxLength={100}
        />
      )}
      {typesPassword ? (
        <Passwords {...{ password, confirm, weak: tried && weak, onPassword: setPassword, onConfirm: setConfirm }} differs={tried && confirm !== password} />
      ) : (
        <ReusedPassword until={again?.passwordUntil ?? ''} onOther={() => setTypesPassword(true)} />
      )}
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <div>
        <Button type="submit" size="lg" block loading={isRunning} disabled={closed}>
          {t('regSubmit', { price: displayUsd(count.price) })}
        </Button>
        <p className="mt-2 text-13 text-fg-2">{t('regNote', { hours: String(count.retryHours) })}</p>
      </div>
    </form>
  )
}

interface PasswordsProps {
  readonly password: string
  readonly confirm: string
  readonly weak: boolean
  readonly differs: boolean
  readonly onPassword: (text: string) => void
  readonly onConfirm: (text: string) => void
}

function Passwords({ password, confirm, weak, differs, onPassword, onConfirm }: PasswordsProps) {
  const t = useTexts(registrationTexts)
  return (
    <>
      <PasswordField
        label={t('regPassword')}
        hint={t('regPasswordHint')}
        error={weak ? t('regPasswordHint') : undefined}
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        autoComplete="new-password"
      />
      <PasswordField
        label={t('regConfirm')}
        error={differs ? t('regConfirmWrong') : undefined}
        value={confirm}
        onChange={(event) => onConfirm(event.target.value)}
        autoComplete="new-password"
      />
    </>
  )
}

/** The password of the failed attempt is used again, unless the member enters another one. */
function ReusedPassword({ until, onOther }: { readonly until: string; readonly onOther: () => void }) {
  const t = useTexts(registrationTexts)
  return (
    <p className="flex flex-wrap items-center justify-between gap-3 text-14 text-fg-2">
      {t('regKept', { time: displayTime(until) })}
      <button type="button" className="link mobile:min-h-11" onClick={onOther}>
        {t('regOtherPassword')}
      </button>
    </p>
  )
}

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

/** Progress of one registration, and its next step. */
function RegistrationStatus({ row, ahead, count, onNew }: RegistrationStatusProps) {
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

/** /openai-register: the form, the progress, and all past registrations. */
export function RegistrationPage() {
  const t = useTexts(registrationTexts)
  useTitle(t('regTitle'))
  const count = useRegistrationCount()
  const current = useCurrentRegistration()
  const [isNew, setNew] = useState(false)
  const standing = current.data && `${current.data.current?.id} ${current.data.current?.state}`
  // The result also changes the records and the balance.
  const before = useRef(standing)
  useEffect(() => {
    if (before.current !== undefined && before.current !== standing) refreshAfterRegistration()
    before.current = standing
  }, [standing])
  useEffect(() => onPaid(({ orderType }) => (orderType === ACCOUNT_ORDER ? refreshRegistrations() : undefined)), [])
  if (!count.data || !current.data) {
    const failed = [count, current].find(({ isError, data }) => isError && !data)
    return (
      <div className="min-w-0">
        <h1 className="mb-6 text-20 font-bold">{t('regTitle')}</h1>
        {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <Skeleton className="h-96" />}
      </div>
    )
  }
  const row = current.data.current
  const shown = row && !isNew && !(row.state === 'failed' && row.cause === 'not_paid') ? row : undefined
  return (
    <div className="min-w-0">
      <h1 className="mb-2 text-20 font-bold">{t('regTitle')}</h1>
      <p className="mb-6 max-w-[640px] text-14 text-fg-2">{t('regLead', { price: displayUsd(count.data.price) })}</p>
      <div className="grid items-start gap-10 desktop:grid-cols-[minmax(0,480px)_minmax(0,1fr)] mobile:gap-8">
        {shown ? (
          <RegistrationStatus row={shown} ahead={current.data.ahead} count={count.data} onNew={() => setNew(true)} />
        ) : (
          <ApplyForm count={count.data} onDone={() => setNew(false)} />
        )}
        <RegistrationRecords />
      </div>
    </div>
  )
}

function RegistrationRecords() {
  const t = useTexts(registrationTexts)
  const list = useRegistrations()
  const rows = list.data ?? []
  const columns: readonly Column<RegistrationRow>[] = [
    {
      key: 'time',
      header: t('col_regTime'),
      cell: (row) => <span className="num text-13 whitespace-nowrap text-fg-2">{displayTime(row.createdTime).slice(5)}</span>,
    },
    { key: 'account', header: t('regAccount'), mobile: 'title', cell: (row) => <span className="num text-13 break-all whitespace-normal">{row.account}</span> },
    {
      key: 'state',
      header: t('col_regState'),
      mobile: 'primary',
      cell: (row) => <Badge tone={REGISTRATION_TONES[row.state]}>{t(REGISTRATION_REG_STATE_TEXT[row.state])}</Badge>,
    },
    { key: 'charged', header: t('regCharged'), align: 'right', cell: (row) => <span className="num">{displayUsd(row.charged)}</span> },
  ]
  return (
    <section aria-label={t('regRecords')} className="min-w-0">
      <h2 className="mb-3 text-16 font-bold">{t('regRecords')}</h2>
      <DataTable
        caption={t('regRecords')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.id}
        instead={list.isPending ? <SkeletonRows /> : rows.length ? undefined : <EmptyState title={t('regNone')} body={t('regNoneAbout')} />}
      />
    </section>
  )
}
