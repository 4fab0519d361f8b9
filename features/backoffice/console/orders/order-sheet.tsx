import { useQuery } from '@tanstack/react-query'
import { Check, Search, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Usd, usdDisplay } from '#platform/web/money.tsx'
import { Time } from '#platform/web/time.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { moneyContract } from '../../contract-money.console.ts'
import { CommandButton } from '../kit/command/command-button.tsx'
import { CustomerLink } from '../kit/customer-link.tsx'
import { SideSheet } from '../kit/sheet.tsx'
import { moneyApi, payText } from './money-api.ts'
import { StateTag } from './state-tag.tsx'
import { moneyTexts } from './texts.ts'
import { useMoneyWord } from './words.ts'

type Order = ReplyOf<typeof moneyContract.order>

export function OrderSheet({ orderNo, onClose }: { readonly orderNo: string; readonly onClose: () => void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['order', orderNo], queryFn: ({ signal }) => moneyApi.order({ orderNo }, { signal }), retry: false })
  if (!data)
    return (
      <SideSheet title={orderNo} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  return (
    <SideSheet
      title={usdDisplay(data.amount)}
      tags={<StateTag state={data.state} />}
      about={
        <>
          <span className="num">{data.orderNo}</span>
          <CopyButton iconOnly text={data.orderNo} className="-my-2" />
          <CustomerLink userId={data.userId}>{data.customer || undefined}</CustomerLink>
        </>
      }
      onClose={onClose}
      foot={<Acts order={data} />}
    >
      <div className="grid gap-5">
        <Figures order={data} />
        <Received order={data} />
        <Refunds order={data} />
        <Tried order={data} />
        <History order={data} />
      </div>
    </SideSheet>
  )
}

/** What can be done with it: there is no "mark as paid", only asking the channel. */
function Acts({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  const input = { orderNo: order.orderNo }
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
  const about = <span className="num">{order.orderNo}</span>
  const hasRequest = order.refunds.some(({ state }) => state === 'requested')
  return (
    <>
      <CommandButton name="order.repair" word={t('repair')} input={input} about={about} icon={<Search {...icon} />} />
      <div className="flex flex-wrap gap-2">
        {hasRequest ? <CommandButton name="order.reject" word={t('rejectWaiting')} input={input} about={about} icon={<X {...icon} />} /> : null}
        {order.waits === 'refund' || order.waits === 'suspense' ? (
          <CommandButton name="order.approve" word={t('approveWaiting')} input={input} about={about} variant="primary" icon={<Check {...icon} />} warning={t('refundWarning')} />
        ) : null}
        {order.refundable === '0' || hasRequest ? null : (
          <CommandButton
            name="order.refund"
            word={t('refund')}
            input={input}
            about={about}
            danger
            icon={<Undo2 {...icon} />}
            warning={t('refundWarning')}
            label={({ result }) => t('refundLabel', { amount: usdDisplay(String(result['amount'] ?? '0')) })}
          />
        )}
      </div>
    </>
  )
}

function Figures({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <Receipt look="inline" label={word('kind', order.orderType)}>
      <div className="flex items-baseline justify-between">
        <h3 className="text-14 font-bold">{word('kind', order.orderType)}</h3>
        <Time at={order.createdAt} className="text-12 text-fg-3" />
      </div>
      <ReceiptRule className="my-2" />
      <ReceiptRow label={t('price')} value={usdDisplay(order.amount)} className="text-13" />
      {order.discount === '0' ? null : <ReceiptRow label={t('discount')} value={usdDisplay(`-${order.discount}`)} />}
      <ReceiptRow label={t('fee', { percent: order.feePercent })} value={usdDisplay(order.fee)} />
      <ReceiptRow label={t('total')} value={usdDisplay(order.total)} />
      <ReceiptRule className="my-2" />
      <ReceiptRow strong label={t('pay')} value={payText(order.payAmount, order.currency)} note={order.currency === 'CNY' ? `${t('rate')} ${order.rate}` : undefined} />
      <ReceiptRow label={t('refundable')} value={usdDisplay(order.refundable)} note={t('refundableNote')} />
    </Receipt>
  )
}

function Part({ title, count, children }: { readonly title: string; readonly count: number; readonly children: ReactNode }) {
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

/** A line of a part: what, how much, and below it the numbers. */
function Line({ left, right, note }: { readonly left: ReactNode; readonly right: ReactNode; readonly note?: ReactNode }) {
  return (
    <li className="py-1.5 text-13">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <span className="flex min-w-0 items-center gap-2">{left}</span>
        <span className="tabular">{right}</span>
      </div>
      {note ? <div className="num truncate text-12 text-fg-3">{note}</div> : null}
    </li>
  )
}

function Received({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  return (
    <Part title={t('receipts')} count={order.receipts.length}>
      {order.receipts.map((one) => (
        <Line
          key={one.id}
          left={
            <>
              <StateTag of="outcome" state={one.outcome} />
              {one.resolvedBy ? <span className="text-12 text-fg-2">{t('resolved', { by: one.resolvedBy })}</span> : null}
            </>
          }
          right={<strong className="num">{payText(one.payAmount, one.currency)}</strong>}
          note={
            <>
              {one.channelTxn} · <Time at={one.paidAt} show="second" />
            </>
          }
        />
      ))}
    </Part>
  )
}

function Refunds({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  if (!order.refunds.length && !order.disputes.length) return null
  return (
    <>
      <Part title={t('refunds')} count={order.refunds.length}>
        {order.refunds.map((one) => (
          <Line
            key={one.refundNo}
            left={
              <>
                <StateTag of="refund" state={one.state} />
                <span className="text-12 text-fg-2">{word('goes', one.goesTo)}</span>
              </>
            }
            right={<Usd value={one.amount} className="font-semibold" />}
            note={[one.refundNo, one.reason, one.failure].filter(Boolean).join(' · ')}
          />
        ))}
      </Part>
      {order.disputes.length ? (
        <Part title={t('disputes')} count={order.disputes.length}>
          {order.disputes.map((one) => (
            <Line key={one.disputeId} left={<StateTag of="dispute" state={one.state} />} right={<strong className="num">{payText(one.payAmount, one.currency)}</strong>} note={one.disputeId} />
          ))}
        </Part>
      ) : null}
    </>
  )
}

function Tried({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  return (
    <>
      <Part title={t('attempts')} count={order.attempts.length}>
        {order.attempts.map((one) => (
          <Line key={one.tradeNo} left={<span className="num">{one.tradeNo}</span>} right={<Time at={one.at} />} note={[t('channelNo', { n: one.channelType }), one.form, one.state, one.reason].filter(Boolean).join(' · ')} />
        ))}
      </Part>
      <Part title={t('notices')} count={order.notices.length}>
        {order.notices.map((one) => (
          <Line key={one.noticeId} left={<span>{one.event}</span>} right={<Time at={one.at} show="second" />} note={`${t('noticeVerified')} · ${one.noticeId}`} />
        ))}
      </Part>
    </>
  )
}

function History({ order }: { readonly order: Order }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <section aria-label={t('history')}>
      <h3 className="mb-2 text-13 font-semibold">{t('history')}</h3>
      <Timeline
        label={t('history')}
        steps={order.steps.map((step, at) => ({
          key: `${step.at}${at}`,
          state: 'done',
          text: word('state', step.event),
          note: [word('actor', step.actor.split(':')[0]!), step.reason].filter(Boolean).join(' · '),
          time: <Time at={step.at} show="second" />,
        }))}
      />
    </section>
  )
}
