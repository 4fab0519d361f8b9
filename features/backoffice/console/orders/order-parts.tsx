import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { moneyContract } from '../../contract-money.console.ts'
import { useOperatorName } from '../kit/operators.ts'
import { DisputePart } from './dispute-part.tsx'
import { formatPayAmount } from './money-api.ts'
import { OrderStateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'
import { useMoneyWord } from './words.ts'

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
