import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass, Button } from '#ui/button.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards } from '../use-cards.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { CardFace } from '../card-face.tsx'
import { formatCardName } from './card-words.ts'
import { CardAlerts } from './card-alerts.tsx'
import { RecentBills } from './recent-bills.tsx'

const CLOSED_TEXT = {
  user: 'closed_user',
  refusals: 'closed_refusals',
  refusal_rate: 'closed_refusal_rate',
  lost: 'closed_lost',
  expired: 'closed_expired',
  replaced: 'closed_replaced',
  account: 'closed_account',
} as const

interface ClosedCardProps {
  readonly card: CardRow
  /** The card that took its place. */
  readonly successor: CardRow | undefined
  readonly onChoose: (id: string) => void
}

/** Over: why, where the rest of the money is, and the way to a new one. Its bills stay. */
export function ClosedCard({ card, successor, onChoose }: ClosedCardProps) {
  const t = useTexts(cardTexts)
  const [busy, setBusy] = useState(false)
  const closing = card.state === 'closing'
  const returned = card.warnings.flatMap((one) => (one.name === 'returned' ? [one.facts.amount] : []))[0]
  const remove = async () => {
    if (!(await confirm({ title: t('removeTitle', { last4: card.last4 }), body: t('removeAbout'), action: t('remove') }))) return
    setBusy(true)
    try {
      await cardsApi.expiredCardDelete({ id: card.id })
      toast.success(t('removed'))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('notDone'))
    } finally {
      setBusy(false)
      refreshCards()
    }
  }
  return (
    <div className="grid items-start gap-x-10 gap-y-7 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <CardFace card={{ ...card, state: 'closed' }} />
      <div className="grid min-w-0 gap-5">
        <div>
          <h2 className="text-20 font-bold">{t(closing ? 'closingTitle' : 'closedTitle')}</h2>
          <p className="mt-1 max-w-xl text-14 text-fg-2">{card.closeReason ? t(CLOSED_TEXT[card.closeReason]) : t('closed_user')}</p>
          {closing ? <p className="max-w-xl text-14 text-fg-2">{t('closingAbout')}</p> : null}
          {returned === undefined ? null : <p className="mt-2 text-16 font-semibold">{t('returnedLine', { amount: displayUsd(returned) })}</p>}
        </div>
        {/* what it owes stays owed, and no further card is had before */}
        <CardAlerts card={{ ...card, warnings: card.warnings.filter(({ name }) => name === 'owed') }} />
        <div className="flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          {successor ? (
            <Button onClick={() => onChoose(successor.id)}>{t('toSuccessor', { name: formatCardName(t, successor) })}</Button>
          ) : (
            <Link to="/open-account" className={getButtonClass('primary')}>
              {t('newCard')}
            </Link>
          )}
          {closing ? null : (
            <Button variant="secondary" loading={busy} onClick={() => void remove()}>
              {t('remove')}
            </Button>
          )}
        </div>
        <RecentBills card={card} />
      </div>
    </div>
  )
}
