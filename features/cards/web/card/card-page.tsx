import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { refreshCards, useCards, useChosenCard } from '../use-cards.ts'
import { CardDialogs } from './dialogs/card-dialogs.tsx'
import { CardSkeleton } from './card-skeleton.tsx'
import { formatCardName, isOpeningCard } from './card-words.ts'
import { Challenges } from './challenges.tsx'
import { ClosedCard } from './closed-card.tsx'
import { NoCard } from './no-card.tsx'
import { OfflineLine } from '../offline-line.tsx'
import { FailedCard, OpeningCard } from './opening-card.tsx'
import { WorkingCard } from './working-card.tsx'
import { CARDS_STATE_TEXT } from '../../state-texts.ts'

const KIND_TEXT = { standard: 'kind_standard', pro: 'kind_pro' } as const

/** More than these stand on a page of their own on a phone. */
const MAX_CARD_TABS = 2

/** /card: one card at a time, chosen above; everything about it stands on this page. */
export function CardPage() {
  const t = useTexts(cardTexts)
  useTitle(t('myCard'))
  const cards = useCards()
  const [card, choose] = useChosenCard(cards.data)
  useEffect(() => onPaid(() => refreshCards({ money: true })), [])
  return (
    <section aria-labelledby="card-title">
      <Head cards={cards.data ?? []} card={card} onChoose={choose} />
      <OfflineLine at={cards.dataUpdatedAt} />
      {cards.data?.length ? <Challenges /> : null}
      {cards.isError && !cards.data ? (
        <ErrorState error={cards.error} title={t('cardsFailed')} onRetry={() => void cards.refetch()} />
      ) : !cards.data ? (
        <CardSkeleton />
      ) : card ? (
        <Body key={card.id} card={card} cards={cards.data} onChoose={choose} />
      ) : (
        <NoCard />
      )}
    </section>
  )
}

interface HeadProps {
  readonly cards: readonly CardRow[]
  readonly card: CardRow | undefined
  readonly onChoose: (id: string) => void
}

function Head({ cards, card, onChoose }: HeadProps) {
  const t = useTexts(cardTexts)
  const mobile = useIsMobile()
  return (
    <div className="mb-5 flex min-h-10 flex-wrap items-center gap-x-4 gap-y-3">
      <h1 id="card-title" className="text-20 font-bold">
        {t('myCard')}
      </h1>
      {card && cards.length > 1 ? (
        mobile && cards.length > MAX_CARD_TABS ? (
          <Link to="/select-card" className={getButtonClass('secondary', 'sm', 'order-1 w-full justify-between')}>
            {formatCardName(t, card)}
            <span className="text-fg-3">{t('ofCards', { count: cards.length })}</span>
          </Link>
        ) : (
          <Segmented
            label={t('chooseCard')}
            value={card.id}
            onChange={onChoose}
            className="mobile:order-1 mobile:w-full"
            items={cards.map((one) => ({
              value: one.id,
              label: (
                <>
                  {t(KIND_TEXT[one.type])} <span className={one.last4 ? 'num font-normal' : 'font-normal'}>{one.last4 || t(CARDS_STATE_TEXT[one.state])}</span>
                </>
              ),
            }))}
          />
        )
      ) : null}
      {card ? (
        <Link to="/open-account" className={getButtonClass('secondary', mobile ? 'sm' : 'md', 'ml-auto')}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('newCard')}
        </Link>
      ) : null}
    </div>
  )
}

function Body({ card, cards, onChoose }: { readonly card: CardRow; readonly cards: readonly CardRow[]; readonly onChoose: (id: string) => void }) {
  return (
    <>
      {isOpeningCard(card) ? (
        <OpeningCard card={card} />
      ) : card.state === 'failed' ? (
        <FailedCard card={card} />
      ) : card.state === 'closed' || card.state === 'closing' ? (
        <ClosedCard card={card} successor={cards.find((one) => one.id === card.replacedBy)} onChoose={onChoose} />
      ) : (
        <WorkingCard card={card} />
      )}
      <CardDialogs card={card} />
    </>
  )
}
