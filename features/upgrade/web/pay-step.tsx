import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { CardChoice, UpgradeRow } from '../contract.ts'
import { upgradeTexts } from '../texts.ts'
import { UpgradeProblem } from './problem.tsx'
import { refreshUpgrades, cacheUpgradeOrder, upgradeApi, useCardCheck, useUpgradeQueue } from './use-upgrade.ts'

const CARD_TEXT = { standard: 'card_standard', pro: 'card_pro' } as const
const PROBLEM_TEXT = {
  month: 'problem_month',
  short: 'problem_short',
  full: 'problem_full',
  card_type: 'problem_card_type',
  not_active: 'problem_not_active',
  must_change: 'problem_must_change',
  no_frame: 'problem_no_frame',
  in_debt: 'problem_in_debt',
} as const

interface PayStepProps {
  readonly order: UpgradeRow
  readonly onQueued: (id: string) => void
}

/** Step 7: the card for this task, the amount to hold on it, and the current waiting time. */
export function UpgradePayStep({ order, onQueued }: PayStepProps) {
  const t = useTexts(upgradeTexts)
  const check = useCardCheck(order.id)
  const [chosen, setChosen] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  if (check.isError && !check.data) return <ErrorState error={check.error} onRetry={() => void check.refetch()} />
  if (!check.data) return <Skeleton className="h-64" />
  const { cards, amount, fee, total, rate, totalCny, most, days } = check.data
  const card = cards.find(({ id }) => id === chosen) ?? cards.find(({ problem: bad }) => bad === null) ?? cards[0]
  if (!card) {
    return (
      <EmptyState
        title={t('noCard')}
        body={t('noCardAbout')}
        action={
          <Link className={getButtonClass()} to="/card">
            {t('toOpenCard')}
          </Link>
        }
      />
    )
  }
  const submit = async () => {
    const payPassword = await requestPayPassword()
    if (payPassword === undefined) return
    setBusy(true)
    setProblem('')
    try {
      const queued = await upgradeApi.bindQueue({ id: order.id, cardId: card.id, total, payPassword })
      cacheUpgradeOrder(queued)
      refreshUpgrades()
      onQueued(queued.id)
    } catch (error) {
      setProblem(isApiError(error) ? error.message : t('readFailed'))
      void check.refetch()
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid grid-cols-1 gap-5">
      <fieldset className="min-w-0">
        <legend className="mb-1 text-14 font-medium">{t('pickCard')}</legend>
        <div className="border-t-2 border-fg">
          {cards.map((each) => (
            <CardLine key={each.id} card={each} most={most} days={days} checked={each.id === card.id} onChoose={() => setChosen(each.id)} />
          ))}
        </div>
      </fieldset>
      {card.problem === 'short' ? (
        <Link className={getButtonClass('secondary')} to="/card" search={{ card: card.id }}>
          {card.recharges && card.recharges.count > 1
            ? t('topUpMany', { amount: displayUsd(card.missing), most: displayUsd(card.recharges.most), n: card.recharges.count })
            : t('topUp', { amount: displayUsd(card.missing) })}
        </Link>
      ) : null}
      <div>
        <ReceiptRow label={order.seats > 1 ? t('planSeats', { plan: order.planName, n: order.seats }) : order.planName} value={displayUsd(amount)} />
        <ReceiptRow label={t('cardFee')} value={displayUsd(fee)} />
        <ReceiptRow label={t('serviceFee')} value={displayUsd('0')} />
        <ReceiptRule />
        <ReceiptRow strong label={t('kept')} value={displayUsd(total)} />
        <p className="text-12 text-fg-2">{t('keptNote', { rate, cny: displayCny(totalCny) })}</p>
      </div>
      <QueueWait />
      <UpgradeProblem text={problem} />
      <div>
        <Button size="lg" block loading={busy} disabled={card.problem !== null} onClick={() => void submit()}>
          {t('enter', { amount: displayUsd(total) })}
        </Button>
        <p className="mt-2 text-13 text-fg-2">{t('enterNote', { last4: card.last4 })}</p>
      </div>
    </div>
  )
}

interface CardLineProps {
  readonly card: CardChoice
  readonly most: number
  readonly days: number
  readonly checked: boolean
  readonly onChoose: () => void
}

function CardLine({ card, most, days, checked, onChoose }: CardLineProps) {
  const t = useTexts(upgradeTexts)
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 border-b border-line px-1 py-2 hover:bg-sunken">
      <input type="radio" name="card" className="size-4 shrink-0 accent-brand" checked={checked} onChange={onChoose} />
      <span className="min-w-0 flex-1">
        <span className="block text-14 font-medium">{t(CARD_TEXT[card.type], { last4: card.last4 })}</span>
        <span className={`block text-13 ${card.problem ? 'text-warning' : 'text-fg-3'}`}>
          {card.problem ? t(PROBLEM_TEXT[card.problem], { most, days, amount: displayUsd(card.missing) }) : t('accountsOn', { n: card.accounts, most, days })}
        </span>
      </span>
      <span className="num shrink-0 text-14">{displayUsd(card.available)}</span>
    </label>
  )
}

/** Current queue, for a member who is about to join it. */
function QueueWait() {
  const t = useTexts(upgradeTexts)
  const { data } = useUpgradeQueue(undefined)
  if (!data) return <p className="h-5" />
  const wait = data.minutes === null || data.readyTime === null ? t('waitUnknown', { n: data.ahead }) : t('waitNow', { n: data.ahead, minutes: data.minutes })
  return <p className="text-13 text-fg-2">{data.isOpen ? wait : t('waitClosed', { time: displayTime(data.opensTime).slice(5), n: data.ahead })}</p>
}
