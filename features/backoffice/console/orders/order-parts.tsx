import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { moneyContract } from '../../contract-money.console.ts'
import { useOperatorName } from '../kit/operators.ts'
import { formatPayAmount } from '../kit/pay-amount.ts'
import { OrderStateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'
import { useMoneyWord } from './words.ts'
import { useQuery } from '@tanstack/react-query'
import { Gavel } from 'lucide-react'
import { Badge } from '#ui/badge.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { disputesContract } from '../../contract-disputes.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { CommandButton } from '../kit/command/command-button.tsx'

const EVIDENCE_TEXT = {
  waiting: 'evidence_waiting',
  refused: 'evidence_refused',
  taken: 'evidence_taken',
  product: 'evidence_product',
  access: 'evidence_access',
  receipt: 'evidence_receipt',
  use: 'evidence_use',
} as const

const api = createConsoleApi(disputesContract)
const DAY_MS = 86_400_000
const FACTS = ['receipt', 'product', 'use', 'access'] as const

/** One dispute: the deadline for evidence, and the evidence prepared or submitted. */
function DisputePart({ channelType, disputeId }: { readonly channelType: number; readonly disputeId: string }) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  const read = useQuery({
    queryKey: ['dispute', channelType, disputeId],
    queryFn: ({ signal }) => api.dispute({ channelType, disputeId }, { signal }),
    retry: false,
  })
  const one = read.data
  if (read.isError) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!one) return <SkeletonRows rows={3} />
  const { evidence } = one
  return (
    <article className="grid gap-2 py-2 text-13">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <OrderStateTag of="dispute" state={one.state} />
        {one.state === 'open' && one.dueAt ? <DaysLeft dueAt={one.dueAt} /> : null}
        <strong className="num ml-auto">{formatPayAmount(one.payAmount, one.currency)}</strong>
      </p>
      <p className="num text-12 [overflow-wrap:anywhere] whitespace-normal text-fg-3">{disputeId}</p>
      {evidence ? (
        <>
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={evidence.state === 'taken' ? 'success' : evidence.state === 'refused' ? 'danger' : 'info'}>{t(EVIDENCE_TEXT[evidence.state])}</Badge>
            <span className="text-fg-2">{t('evidenceBy', { name: nameOf(evidence.by), at: displayTime(evidence.at) })}</span>
            {evidence.refusal ? <span className="text-danger">{evidence.refusal}</span> : null}
          </p>
          <p className="whitespace-pre-line [overflow-wrap:anywhere]">“{evidence.words}”</p>
        </>
      ) : null}
      <details>
        <summary className="cursor-pointer py-1 text-12 text-fg-2">{t(evidence ? 'factsSent' : 'factsReady')}</summary>
        <dl className="mt-2 grid gap-2">
          {FACTS.map((name) => (
            <div key={name}>
              <dt className="text-12 text-fg-3">{t(EVIDENCE_TEXT[name])}</dt>
              <dd className="num max-h-40 overflow-auto rounded-card bg-sunken p-2 text-12 whitespace-pre-wrap [overflow-wrap:anywhere]">{one.facts[name]}</dd>
            </div>
          ))}
        </dl>
      </details>
      {one.isOpen ? (
        <p>
          <CommandButton
            name="dispute.submit"
            word={t('submitEvidence')}
            input={{ channelType, disputeId }}
            about={
              <>
                <span className="num">{disputeId}</span>
                <span className="block">{t('submitNote')}</span>
              </>
            }
            reasonCode="correction"
            warning={t('submitOnce')}
            icon={<Gavel size={14} strokeWidth={1.75} aria-hidden="true" />}
            onDone={() => void read.refetch()}
          />
        </p>
      ) : null}
    </article>
  )
}

/** Deadline, red in its last two days. */
function DaysLeft({ dueAt }: { readonly dueAt: string }) {
  const t = useTexts(moneyTexts)
  const left = (Date.parse(dueAt) - Date.now()) / DAY_MS
  const tone = left < 2 ? 'font-semibold text-danger' : 'text-warning'
  return (
    <span className={tone}>
      {left <= 0 ? t('tooLate') : left < 1 ? t('lessThanDay') : t('daysLeft', { n: Math.floor(left) })} · <Time at={dueAt} />
    </span>
  )
}

export type ConsoleOrder = ReplyOf<typeof moneyContract.order>

function OrderPart({ title, count, children }: { readonly title: string; readonly count: number; readonly children: ReactNode }) {
  const t = useTexts(moneyTexts)
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-13 font-semibold">
        {title} <span className="num text-12 font-normal text-fg-3">{count}</span>
      </h3>
      {count ? <ul className="divide-y divide-line border-y border-line">{children}</ul> : <p className="text-13 text-fg-3">{t('none')}</p>}
    </section>
  )
}

/** A row of a part: label and amount, with reference numbers below. */
function OrderPartLine({ left, right, note }: { readonly left: ReactNode; readonly right: ReactNode; readonly note?: ReactNode }) {
  return (
    <li className="py-1.5 text-13">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex min-w-0 items-center gap-2">{left}</span>
        <span className="tabular">{right}</span>
      </div>
      {note ? (
        <div dir="auto" className="num text-12 [overflow-wrap:anywhere] whitespace-normal text-fg-3">
          {note}
        </div>
      ) : null}
    </li>
  )
}

export function OrderReceipts({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  return (
    <OrderPart title={t('receipts')} count={order.receipts.length}>
      {order.receipts.map((one) => (
        <OrderPartLine
          key={one.id}
          left={
            <>
              <OrderStateTag of="outcome" state={one.outcome} />
              {one.resolvedBy ? <span className="text-12 text-fg-2">{t('resolved', { by: nameOf(one.resolvedBy.replace(/^operator:/, '')) })}</span> : null}
            </>
          }
          right={<strong className="num">{formatPayAmount(one.payAmount, one.currency)}</strong>}
          note={
            <>
              {one.channelTxn} · <Time at={one.paidAt} show="second" />
            </>
          }
        />
      ))}
    </OrderPart>
  )
}

export function OrderRefunds({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  if (!order.refunds.length && !order.disputes.length) return null
  return (
    <>
      <OrderPart title={t('refunds')} count={order.refunds.length}>
        {order.refunds.map((one) => (
          <OrderPartLine
            key={one.refundNo}
            left={
              <>
                <OrderStateTag of="refund" state={one.state} />
                <span className="text-12 text-fg-2">{word('goes', one.goesTo)}</span>
              </>
            }
            right={<Usd value={one.amount} className="font-semibold" />}
            note={[one.refundNo, one.reason, one.failure].filter(Boolean).join(' · ')}
          />
        ))}
      </OrderPart>
      {order.disputes.length ? (
        <OrderPart title={t('disputes')} count={order.disputes.length}>
          {order.disputes.map((one) => (
            <li key={one.disputeId}>
              <DisputePart channelType={one.channelType} disputeId={one.disputeId} />
            </li>
          ))}
        </OrderPart>
      ) : null}
    </>
  )
}

export function OrderAttempts({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <>
      <OrderPart title={t('attempts')} count={order.attempts.length}>
        {order.attempts.map((one) => (
          <OrderPartLine
            key={one.tradeNo}
            left={<span className="num">{one.tradeNo}</span>}
            right={<Time at={one.at} />}
            note={[word('channel', one.channelType), one.form ? word('form', one.form) : '', word('attempt', one.state), one.reason]
              .filter(Boolean)
              .join(' · ')}
          />
        ))}
      </OrderPart>
      <OrderPart title={t('notices')} count={order.notices.length}>
        {order.notices.map((one) => (
          <OrderPartLine
            key={one.noticeId}
            left={<span>{word('event', one.event)}</span>}
            right={<Time at={one.at} show="second" />}
            note={`${t('noticeVerified')} · ${one.noticeId}`}
          />
        ))}
      </OrderPart>
    </>
  )
}

/** Translates the server's reason of a step; text written by people stays as is. */
function useStepReason(): (reason: string) => string {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (reason) => {
    const confirmed = /^the channel confirms (\S+)( as well)?$/.exec(reason)
    if (confirmed) return t(confirmed[2] ? 'reason_confirmedAgain' : 'reason_confirmed', { txn: confirmed[1]! })
    const name = reason.replaceAll(' ', '_')
    const known = word('step', name)
    return known === name ? reason : known
  }
}

export function OrderHistory({ order }: { readonly order: ConsoleOrder }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  const reasonOf = useStepReason()
  return (
    <section aria-label={t('history')}>
      <h3 className="mb-2 text-13 font-semibold">{t('history')}</h3>
      <Timeline
        label={t('history')}
        steps={order.steps.map((step, at) => ({
          key: `${step.at}${at}`,
          state: 'done',
          text: word('state', step.event),
          note: [word('actor', step.actor.split(':')[0]!), reasonOf(step.reason ?? '')].filter(Boolean).join(' · '),
          time: <Time at={step.at} show="second" />,
        }))}
      />
    </section>
  )
}
