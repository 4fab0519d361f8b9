import { useTexts, getLangAttributes } from '#platform/web/i18n.ts'
import { useOnline } from '#platform/web/online.ts'
import { displayTime } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import type { NumberRow } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import { formatMessageCode, formatPhoneNumber, formatWaitSeconds } from './words.ts'
import type { NumberTranslate } from './words.ts'
import { NUMBERS_SERVICE_TEXT, NUMBERS_COUNTRY_TEXT, NUMBERS_STATE_TEXT } from '../state-texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'

/** Countdown to the server's deadline, announced to screen readers at half time, at one minute and at the end. */
function NumberClock({ since, until }: { readonly since: number; readonly until: number }) {
  const t = useTexts(numberTexts)
  const seconds = useCountdown(until)
  const all = Math.max(1, Math.round((until - since) / 1000))
  const share = Math.min(1, seconds / all)
  const spoken = seconds === Math.floor(all / 2) || seconds === 60 || seconds === 0
  return (
    <>
      <div className="flex items-end justify-between gap-4">
        <span className="text-14">{t(seconds ? 'valid' : 'validEnded')}</span>
        <span className="num text-28 font-medium" role="timer" aria-live="off">
          {formatClock(seconds)}
        </span>
      </div>
      <span className="my-1 block h-1.5 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className={`block h-full rounded-full ${share < 0.1 ? 'bg-warning' : 'bg-brand'}`} style={{ width: `${share * 100}%` }} />
      </span>
      <p className="num text-12 text-fg-3">{t('validFrom', { from: displayTime(since, 'second').slice(11), until: displayTime(until, 'second').slice(11) })}</p>
      <span className="sr-only" role="status">
        {spoken ? formatWaitSeconds(t, seconds) : ''}
      </span>
    </>
  )
}

const CAUSE_TEXT = {
  no_numbers: 'cause_no_numbers',
  supplier_down: 'cause_supplier_down',
  no_code: 'cause_no_code',
  supplier_ended: 'cause_supplier_ended',
  given_back: 'cause_given_back',
} as const

interface NumberTicketProps {
  readonly row: NumberRow
  readonly minutes: number
}

/** A number as a ticket: the number, six places for its code, and the countdown; then the code and the delay. */
export function NumberTicket({ row, minutes }: NumberTicketProps) {
  const t = useTexts(numberTexts)
  const open = row.state === 'waiting' || row.state === 'wanted'
  return (
    <Receipt look="inline" label={`${t(NUMBERS_SERVICE_TEXT[row.service])} ${row.number}`} className="[&>.receipt]:!px-7 mobile:[&>.receipt]:!px-5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <p className="min-w-0 text-16">
          <b>{t(NUMBERS_SERVICE_TEXT[row.service])}</b>{' '}
          <span className="ml-1 text-13 text-fg-2">{t('countryNumber', { country: t(NUMBERS_COUNTRY_TEXT[row.country]) })}</span>
        </p>
        <TicketStatus row={row} />
      </div>
      <ReceiptRule />
      <NumberLine row={row} />
      <ReceiptRule />
      <CodeLine row={row} minutes={minutes} />
      <ReceiptRule />
      {open && row.deadlineTime && row.startedTime ? (
        <NumberClock since={Date.parse(row.startedTime)} until={Date.parse(row.deadlineTime)} />
      ) : (
        <Paid row={row} />
      )}
    </Receipt>
  )
}

function TicketStatus({ row }: { readonly row: NumberRow }) {
  const t = useTexts(numberTexts)
  const online = useOnline()
  if (row.state === 'received') return <Stamp text={t('state_received')} fresh={Date.now() - Date.parse(row.receiveTime ?? '') < 10_000} className="!text-18" />
  if (row.state !== 'waiting' && row.state !== 'wanted') return <span className="text-13 text-fg-3">{t(NUMBERS_STATE_TEXT[row.state])}</span>
  const text = !online ? t('offline', { time: displayTime(Date.now(), 'second').slice(11) }) : t(row.state === 'wanted' ? 'liveFinding' : 'live')
  return (
    <span className={`inline-flex items-center gap-2 text-13 font-medium ${online ? 'text-brand-text' : 'text-fg-3'}`} role="status">
      <span className={`size-2 rounded-full ${online ? 'bg-brand ring-4 ring-brand-soft' : 'bg-fg-3'}`} aria-hidden="true" />
      {text}
    </span>
  )
}

function NumberLine({ row }: { readonly row: NumberRow }) {
  const t = useTexts(numberTexts)
  if (!row.number) {
    return (
      <>
        <p className="text-13 text-fg-2">{t('theNumber')}</p>
        <p className="flex min-h-12 items-center text-16 text-fg-3">{row.state === 'wanted' ? t('noNumberYet') : '—'}</p>
      </>
    )
  }
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <p className="text-13 text-fg-2">{t('theNumber')}</p>
        <p className="num text-28 leading-[44px] font-medium tracking-tight mobile:text-20">{formatPhoneNumber(row.number)}</p>
      </div>
      <CopyButton text={row.number} label={t('copyNumber')} variant={row.code ? 'ghost' : 'secondary'} size="md" />
    </div>
  )
}

function CodeLine({ row, minutes }: NumberTicketProps) {
  const t = useTexts(numberTexts)
  const open = row.state === 'waiting' || row.state === 'wanted'
  const last = row.messages.at(-1)
  if (!last) {
    return (
      <>
        <p className="text-13 text-fg-2">{t('code')}</p>
        <div className="my-2 flex gap-2" role="img" aria-label={t('codeWaiting')}>
          {[0, 1, 2, 3, 4, 5].map((at) => (
            <span
              key={at}
              className={`h-14 w-11 rounded-control border ${open && at === 0 ? 'border-2 border-brand' : 'border-dashed border-control'} ${open ? '' : 'opacity-50'} mobile:h-12 mobile:w-9`}
            />
          ))}
        </div>
        <p className="text-13 text-fg-2">{open ? t('codeHint') : t(resolveTextKey(CAUSE_TEXT, row.cause), { minutes: String(minutes) })}</p>
      </>
    )
  }
  return (
    <div role="status" aria-atomic="true">
      <p className="text-13 text-fg-2">{t('code')}</p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        {last.code ? (
          <Digits code={last.code} key={last.at} />
        ) : (
          <p className="min-h-12 py-3 text-14 text-fg-2">{last.text ? t('noCodeIn') : t('hiddenCode')}</p>
        )}
        {last.code ? <CopyButton text={last.code} word={t('copyCode')} variant="primary" size="lg" /> : null}
      </div>
      {row.messages
        .toReversed()
        .slice(0, 3)
        .map((one) => (
          <p key={one.at} className="mt-1.5 text-13 break-words">
            {one.text ? (
              <q {...getLangAttributes('en')} className="text-fg-1">
                {one.text}
              </q>
            ) : null}{' '}
            <span className="num ml-1 text-fg-3">{displayTime(one.at, 'second').slice(11)}</span>
            <span className="ml-2 text-fg-3">{one.late ? t('lateCode') : formatWaited(t, row, one.at)}</span>
          </p>
        ))}
    </div>
  )
}

function formatWaited(t: NumberTranslate, row: NumberRow, at: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(at) - Date.parse(row.startedTime ?? at)) / 1000))
  return seconds < 60
    ? t('waitedSeconds', { seconds: String(seconds) })
    : t('waited', { minutes: String(Math.floor(seconds / 60)), seconds: String(seconds % 60) })
}

/** Shows the digits one after another, once. */
function Digits({ code }: { readonly code: string }) {
  return (
    <p className="num text-40 leading-[56px] font-semibold tracking-wide desktop:text-[48px]">
      <span className="sr-only">{code.split('').join(' ')}</span>
      {formatMessageCode(code)
        .split('')
        .map((sign, at) => (
          <span key={at} className="digit-print" style={{ animationDelay: `${at * 60}ms` }} aria-hidden="true">
            {sign === ' ' ? '\u2002' : sign}
          </span>
        ))}
    </p>
  )
}

function Paid({ row }: { readonly row: NumberRow }) {
  const t = useTexts(numberTexts)
  const until = row.state === 'received' && !row.endedTime && row.deadlineTime ? displayTime(row.deadlineTime, 'minute').slice(11) : ''
  return (
    <ReceiptRow
      label={row.returned ? t('backUse') : row.state === 'received' ? t(row.paidBy === 'pack' ? 'usedPack' : 'usedCard') : t(NUMBERS_STATE_TEXT[row.state])}
      value={t('chance', { n: row.returned ? '+1' : '−1' })}
      note={until ? t('moreTexts', { time: until }) : undefined}
    />
  )
}
