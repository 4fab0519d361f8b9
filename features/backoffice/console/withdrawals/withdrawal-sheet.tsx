import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Search, TriangleAlert, Users, Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { Time, displayTime } from '#platform/web/time.tsx'
import { Badge } from '#ui/badge.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { moneyContract, WithdrawalListRow } from '../../contract-money.console.ts'
import { RequestButton } from '../kit/command/request-button.tsx'
import { CommandBody, CommandNotice } from '../kit/command/command-body.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useCommand } from '../kit/command/use-command.ts'
import { CustomerLink } from '../kit/customer-link.tsx'
import { FactList } from '../kit/marks.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { SideSheet } from '../kit/sheet.tsx'
import { useHasPermission } from '../kit/use-me.ts'
import { moneyApi } from '../orders/money-api.ts'
import { OrderStateTag } from '../orders/state-tag.tsx'
import { moneyTexts } from '../orders/texts.ts'
import { useMoneyWord } from '../orders/words.ts'

type HoldFields = Pick<WithdrawalListRow, 'withdrawalNo' | 'hold' | 'state'>

/** Notice of a hold: the operator, its start and end, and the reason. */
function HoldNotice({ hold }: Pick<HoldFields, 'hold'>) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  if (!hold) return null
  const said = { name: nameOf(hold.by), at: displayTime(hold.at) }
  return (
    <CommandNotice tone="warning" title={hold.until ? t('heldUntil', { ...said, until: displayTime(hold.until) }) : t('heldOpen', said)}>
      {hold.why}
    </CommandNotice>
  )
}

/** Puts a withdrawal on hold that was not paid out yet. */
function HoldButton({ withdrawalNo }: Pick<HoldFields, 'withdrawalNo'>) {
  const t = useTexts(moneyTexts)
  return (
    <CommandButton
      name="withdrawal.hold"
      word={t('hold')}
      input={{ withdrawalNo }}
      about={
        <>
          <span className="num">{withdrawalNo}</span>
          <span className="block">{t('holdNote')}</span>
        </>
      }
      reasonCode="fraud"
      icon={<Pause size={14} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}

/** Commands for a withdrawal on hold: release it, or reject it while it awaits a decision. */
function HoldFoot({ withdrawalNo, state }: HoldFields) {
  const t = useTexts(moneyTexts)
  const about = <span className="num">{withdrawalNo}</span>
  return (
    <>
      {state === 'approving' ? (
        <CommandButton
          name="withdrawal.reject"
          word={t('reject')}
          input={{ withdrawalNo }}
          about={about}
          reasonCode="fraud"
          danger
          warning={t('rejectNote')}
          icon={<X size={14} strokeWidth={1.75} aria-hidden="true" />}
        />
      ) : null}
      <CommandButton
        name="withdrawal.release"
        word={t('release')}
        variant="primary"
        input={{ withdrawalNo }}
        about={about}
        icon={<Play size={14} strokeWidth={1.75} aria-hidden="true" />}
      />
    </>
  )
}

type Withdrawal = ReplyOf<typeof moneyContract.withdrawal>

export function WithdrawalSheet({ withdrawalNo, onClose }: { readonly withdrawalNo: string; readonly onClose: () => void }) {
  const t = useTexts(moneyTexts)
  const may = useHasPermission()
  const { data, error, refetch } = useQuery({
    queryKey: ['withdrawal', withdrawalNo],
    queryFn: ({ signal }) => moneyApi.withdrawal({ withdrawalNo }, { signal }),
    retry: false,
  })
  if (!data)
    return (
      <SideSheet title={withdrawalNo} onClose={onClose}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={8} />}
      </SideSheet>
    )
  const head = {
    title: t('withdrawalTitle', { amount: displayUsd(data.amount) }),
    tags: (
      <>
        <OrderStateTag of="wstate" state={data.state} />
        {data.hold ? <OrderStateTag of="wstate" state="held" /> : null}
        {data.waiting ? (
          <Badge tone="warning" icon={<Users size={12} aria-hidden="true" />}>
            {t('waitsSecond')}
          </Badge>
        ) : null}
        {data.risk === 'high' ? (
          <Badge tone="danger" icon={<TriangleAlert size={12} aria-hidden="true" />}>
            {t('highRisk')}
          </Badge>
        ) : null}
      </>
    ),
    about: (
      <>
        <span className="num">{data.withdrawalNo}</span>
        <CopyButton iconOnly text={data.withdrawalNo} className="-my-2" />
        <CustomerLink userId={data.userId}>{data.customer || t('wholeCustomer')}</CustomerLink>
      </>
    ),
    onClose,
  }
  const canDecide = data.state === 'approving' && !data.waiting && !data.hold && may('withdrawals.decide')
  return canDecide ? (
    <DecisionButtons data={data} head={head} />
  ) : (
    <SideSheet {...head} foot={<Foot data={data} />}>
      <CustomerFacts data={data} />
    </SideSheet>
  )
}

const UNSENT_STATES = ['requested', 'approving', 'approved', 'in_transit']

function Foot({ data }: { readonly data: Withdrawal }) {
  const t = useTexts(moneyTexts)
  if (data.waiting)
    return (
      <>
        <p className="text-12 text-fg-2">{t('waitingNote', { no: data.waiting })}</p>
        <Link to={`/approvals?open=${data.waiting}`} className={getButtonClass('primary', 'lg')}>
          {t('toApproval')}
        </Link>
      </>
    )
  if (data.hold) return <HoldFoot withdrawalNo={data.withdrawalNo} state={data.state} hold={data.hold} />
  // A channel cannot be queried about a payout that was not sent
  if (!data.transfer && UNSENT_STATES.includes(data.state)) return <HoldButton withdrawalNo={data.withdrawalNo} />
  return (
    <CommandButton
      name="withdrawal.recheck"
      word={t('recheck')}
      input={{ withdrawalNo: data.withdrawalNo }}
      about={<span className="num">{data.withdrawalNo}</span>}
      icon={<Search size={14} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}

const defaultReason = (way: 'approve' | 'reject' | 'hold') => (way === 'approve' ? 'customerAsked' : 'fraud')

/** Buttons to approve or reject, with the effect of each. */
function DecisionButtons({ data, head }: { readonly data: Withdrawal; readonly head: Omit<Parameters<typeof SideSheet>[0], 'children' | 'foot'> }) {
  const t = useTexts(moneyTexts)
  const [way, setWay] = useState<'approve' | 'reject' | 'hold'>('approve')
  const wish = {
    name: `withdrawal.${way}`,
    input: { withdrawalNo: data.withdrawalNo },
    reasonCode: defaultReason(way),
    danger: way === 'reject',
    warning: way === 'hold' ? undefined : t(way === 'approve' ? 'approveWarning' : 'rejectNote'),
    label: () => (way === 'approve' ? t('approveLabel', { amount: displayCny(data.payAmount) }) : t(way)),
  }
  const command = useCommand(wish)
  const choose = (next: typeof way) => {
    setWay(next)
    command.setReasonCode(defaultReason(next))
  }
  const isCooling = way === 'approve' && data.coolUntil !== null
  return (
    <SideSheet
      {...head}
      foot={
        <>
          <Segmented
            label={t('decision')}
            value={way}
            onChange={choose}
            items={[
              { value: 'approve', label: t('approve') },
              { value: 'reject', label: t('reject') },
              { value: 'hold', label: t('hold') },
            ]}
          />
          <RequestButton command={isCooling ? { ...command, canAsk: false } : command} wish={wish} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Payout data={data} />
        <Risk data={data} />
        {isCooling ? <CommandNotice tone="warning">{t('cooling', { at: displayTime(data.coolUntil!) })}</CommandNotice> : null}
        {way === 'hold' ? <p className="text-13 text-fg-2">{t('holdNote')}</p> : null}
        <CommandBody key={way} command={command} wish={wish} />
      </div>
    </SideSheet>
  )
}

function CustomerFacts({ data }: { readonly data: Withdrawal }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  const nameOf = useOperatorName()
  const actorOf = (actor: string) => (actor.startsWith('operator:') ? nameOf(actor.slice(9)) : word('actor', actor.split(':')[0]!))
  return (
    <div className="grid grid-cols-1 gap-5">
      <HoldNotice hold={data.hold} />
      <Payout data={data} />
      <Risk data={data} />
      <section aria-label={t('history')}>
        <h3 className="mb-2 text-13 font-semibold">{t('history')}</h3>
        <Timeline
          label={t('history')}
          steps={data.steps.map((step, at) => ({
            key: `${step.at}${at}`,
            state: ['failed', 'returned', 'rejected'].includes(step.state) ? 'failed' : 'done',
            text: word('wstate', step.state),
            note: [actorOf(step.actor), step.reason && word('wreason', step.reason)].filter(Boolean).join(' · '),
            time: <Time at={step.at} show="second" />,
          }))}
        />
      </section>
      {data.payoutTxn ? (
        <p className="text-12 text-fg-3">
          {t('vendorTxn')} <span className="num">{data.payoutTxn}</span>
        </p>
      ) : null}
    </div>
  )
}

/** Destination of each part of the payout. */
function Payout({ data }: { readonly data: Withdrawal }) {
  const t = useTexts(moneyTexts)
  return (
    <Receipt look="inline" label={t('payout')}>
      {data.parts.map((part) => (
        <ReceiptRow
          key={part.orderNo}
          label={<span className="text-13">{t('payoutPart', { no: part.orderNo })}</span>}
          value={<span className="text-13">{displayCny(part.payAmount)}</span>}
        />
      ))}
      {data.payee || !data.parts.length ? (
        <ReceiptRow
          label={<span className="text-13">{t('payoutTransfer', { payee: data.payee })}</span>}
          value={<span className="text-13">{data.transfer ? displayCny(data.transfer.payAmount) : displayUsd(data.amount)}</span>}
        />
      ) : null}
      <ReceiptRule className="my-2" />
      <ReceiptRow strong label={t('payout')} value={displayCny(data.payAmount)} note={t('payoutRounding', { rate: data.rate })} />
    </Receipt>
  )
}

function Risk({ data }: { readonly data: Withdrawal }) {
  const t = useTexts(moneyTexts)
  const word = useMoneyWord()
  return (
    <section aria-label={t('facts')}>
      <h3 className="mb-2 text-13 font-semibold">{t('facts')}</h3>
      <FactList facts={data.facts.map(({ key, tone, value }) => ({ key, tone, text: word('fact', key).replace('{value}', value) }))} />
    </section>
  )
}
