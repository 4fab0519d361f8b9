import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { parseUsd, sumNano, formatUsd } from '#platform/shared/money.ts'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { Usd, displayUsd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { TimelineStep } from '#ui/time/timeline.tsx'
import { billTexts } from '../../texts-bills.ts'
import { BillAmount, BillStatus } from './bill-cells.tsx'
import { formatBillName, formatDeclineReason, isIncome, isVoidBill, formatPaidMethod } from './bill-words.ts'
import type { TranslateBill } from './bill-words.ts'
import type { BillDetail } from './use-bills.ts'
import { CARDS_REASON_TEXT } from '../../state-texts-bills.ts'

const DISPUTE_STATE_TEXT = {
  lost: 'disputeState_lost',
  expired: 'disputeState_expired',
  refused: 'disputeState_refused',
  draft: 'disputeState_draft',
  submitted: 'disputeState_submitted',
  won: 'disputeState_won',
} as const

type Dispute = NonNullable<BillDetail['dispute']>

/** Progress of a dispute: its text, its state, its outcome. */
function DisputeTimeline({ dispute }: { readonly dispute: Dispute }) {
  const t = useTexts(billTexts)
  const { state, createdTime, submittedTime, finishedTime, amount } = dispute
  const over = finishedTime !== null
  const day = (time: string | null) => (time === null ? '' : displayTime(time).slice(5))
  return (
    <section aria-labelledby="dispute-title" className="border-t border-line pt-5">
      <h3 id="dispute-title" className="text-14 font-semibold">
        {t('disputeOf', { amount: displayUsd(amount), reason: t(CARDS_REASON_TEXT[dispute.reason]) })}
      </h3>
      <blockquote className="mt-1.5 mb-4 border-l-2 border-line pl-3 text-13 whitespace-pre-line text-fg-2">{dispute.words}</blockquote>
      <Timeline
        label={t('disputeCourse')}
        steps={[
          { key: 'made', state: 'done', text: t('disputeState_made'), time: day(createdTime) },
          {
            key: 'sent',
            state: submittedTime ? 'done' : over ? 'done' : 'now',
            text: t('disputeState_sent'),
            time: submittedTime ? day(submittedTime) : over ? '' : t('disputeState_sentTime'),
          },
          {
            key: 'end',
            state: over ? (state === 'won' ? 'done' : 'failed') : submittedTime ? 'now' : 'todo',
            text: over ? t(DISPUTE_STATE_TEXT[state]) : t('disputeState_waits'),
            time: over ? day(finishedTime) : t('disputeState_waitsTime'),
            note: dispute.credited ? t('disputeState_credited', { amount: displayUsd(amount) }) : undefined,
          },
        ]}
      />
    </section>
  )
}

const FEE_NOTE_TEXT = { activation: 'feeNote_activation', refund: 'feeNote_refund', abroad: 'feeNote_abroad', reversal: 'feeNote_reversal' } as const
const STEP_TEXT = {
  failed: 'step_failed',
  lost: 'step_lost',
  expired: 'step_expired',
  done: 'step_done',
  fee: 'step_fee',
  reversed: 'step_reversed',
  won: 'step_won',
  refunded: 'step_refunded',
  authorized: 'step_authorized',
  incremented: 'step_incremented',
  reduced: 'step_reduced',
  captured: 'step_captured',
  declined: 'step_declined',
  sent: 'step_sent',
  disputed: 'step_disputed',
} as const

const DisputeForm = lazy(() => import('./dispute-form.tsx').then((m) => ({ default: m.DisputeForm })))

/** Detail of a bill row: its receipt, its course, and its actions. */
export function BillDetailView({ bill }: { readonly bill: BillDetail }) {
  const t = useTexts(billTexts)
  const lang = useLang()
  const [disputing, setDisputing] = useState(false)
  const total = formatUsd(sumNano([parseUsd(bill.amount), parseUsd(bill.fee)]))
  return (
    <div className="grid gap-6">
      <Receipt look="inline" label={t('slip')}>
        <div className="mb-3 flex items-start justify-between gap-3">
          <div className="min-w-0">
            <h3 className={`text-16 font-bold ${bill.merchant ? 'font-mono' : ''}`}>{formatBillName(lang, bill)}</h3>
            <p className="text-13 text-fg-3">{[bill.place, bill.country].filter(Boolean).join(' · ')}</p>
          </div>
          <BillStatus row={bill} />
        </div>
        <ReceiptRule />
        <ReceiptRow
          label={t(isIncome(bill.amount) ? 'lineIn' : 'lineOut')}
          value={<BillAmount row={bill} />}
          {...(bill.local ? { note: t('lineLocal', { amount: bill.local.amount, currency: bill.local.currency }) } : {})}
        />
        {parseUsd(bill.fee) === 0n ? null : (
          <ReceiptRow label={t('col_fee')} value={<Usd value={bill.fee} />} {...(bill.feeKind ? { note: t(FEE_NOTE_TEXT[bill.feeKind]) } : {})} />
        )}
        <ReceiptRule />
        <ReceiptRow
          strong
          label={t(isVoidBill(bill) ? 'lineNothing' : 'lineChange')}
          value={isVoidBill(bill) ? displayUsd('0') : <Usd value={total} signed={isIncome(total)} />}
        />
        {bill.balanceAfter === null ? null : <ReceiptRow label={t('col_balance')} value={<Usd value={bill.balanceAfter} />} />}
      </Receipt>
      {bill.status === 'fail' ? (
        <AlertBox kind="error" title={formatDeclineReason(t, bill)}>
          {t('failAbout')}
        </AlertBox>
      ) : null}
      {bill.status === 'processing' && bill.kind === 'purchase' ? <AlertBox kind="info">{t('heldAbout')}</AlertBox> : null}
      <Facts bill={bill} />
      {bill.steps.length ? (
        <section aria-labelledby="course-title">
          <h3 id="course-title" className="mb-3 text-14 font-semibold">
            {t('course')}
          </h3>
          <Timeline label={t('course')} steps={buildTimeline(t, bill)} />
        </section>
      ) : null}
      {bill.dispute ? <DisputeTimeline dispute={bill.dispute} /> : null}
      {bill.disputable && !bill.dispute ? (
        disputing ? (
          <Suspense fallback={<Skeleton className="h-72" />}>
            <DisputeForm bill={bill} onClose={() => setDisputing(false)} />
          </Suspense>
        ) : (
          <div className="border-t border-line pt-5">
            <p className="text-14 font-semibold">{t('disputeAsk')}</p>
            <p className="mt-0.5 mb-3 text-13 text-fg-2">{t('disputeFirst')}</p>
            <Button variant="secondary" onClick={() => setDisputing(true)}>
              {t('dispute')}
            </Button>
          </div>
        )
      ) : null}
    </div>
  )
}

function Facts({ bill }: { readonly bill: BillDetail }) {
  const t = useTexts(billTexts)
  return (
    <dl className="grid gap-y-1.5 text-14">
      <Fact name={t('col_time')}>
        <Time at={bill.time} show="second" />
      </Fact>
      <Fact name={t('col_card')}>
        <span className="num">{bill.last4}</span>
      </Fact>
      {bill.method ? <Fact name={t('method')}>{formatPaidMethod(t, bill.method)}</Fact> : null}
      {bill.orderNo ? (
        <Fact name={t('order')}>
          <Link to="/orders/$orderNo" params={{ orderNo: bill.orderNo }} className="link num text-13">
            {bill.orderNo}
          </Link>
        </Fact>
      ) : null}
      <Fact name={t('billNo')}>
        <span className="inline-flex items-center gap-1">
          <span className="num text-13 whitespace-normal">{bill.id}</span>
          <CopyButton text={bill.id} iconOnly label={t('copyBillNo')} className="-my-2 shrink-0" />
        </span>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="shrink-0 text-fg-3">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}

const EVENTS = [
  'authorized',
  'incremented',
  'reduced',
  'captured',
  'reversed',
  'expired',
  'declined',
  'refunded',
  'sent',
  'done',
  'failed',
  'fee',
  'disputed',
  'won',
  'lost',
] as const

function buildTimeline(t: TranslateBill, { steps, status }: BillDetail): TimelineStep[] {
  return steps.map(({ at, event, amount }, index) => {
    const known = EVENTS.find((name) => name === event)
    const isLast = index === steps.length - 1
    return {
      key: `${at} ${event} ${index}`,
      state: isLast && status === 'processing' ? 'now' : event === 'declined' || event === 'failed' ? 'failed' : 'done',
      text: known ? t(STEP_TEXT[known]) : t('step_other'),
      note: parseUsd(amount) === 0n ? undefined : displayUsd(amount),
      time: displayTime(at, 'second').slice(5),
    }
  })
}
