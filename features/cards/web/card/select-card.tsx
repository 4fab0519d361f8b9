import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronRight, Plus } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { UsdShort } from '#platform/web/money.tsx'
import { useTitle } from '#platform/web/title.ts'
import { Badge, type Tone } from '#ui/badge.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { cardTexts } from '../../texts.ts'
import type { CardState } from '../../words.ts'
import { rememberCard, useCards } from '../use-cards.ts'
import { CardFace } from '../card-face.tsx'
import { formatCardName } from './card-words.ts'
import { NoCard } from './no-card.tsx'
import { CARDS_STATE_TEXT } from '../../state-texts.ts'

const tones: Record<CardState, Tone> = {
  requested: 'info',
  opening: 'info',
  failed: 'danger',
  active: 'success',
  frozen: 'info',
  closing: 'neutral',
  closed: 'neutral',
}

/** /select-card: all cards with their balances; selecting one makes it the card in use. */
export function SelectCardPage() {
  const t = useTexts(cardTexts)
  useTitle(t('chooseCard'))
  const cards = useCards()
  const navigate = useNavigate()
  const choose = (id: string) => {
    rememberCard(id)
    void navigate({ to: '/card', search: { card: id } })
  }
  return (
    <section aria-labelledby="select-title" className="max-w-2xl">
      <div className="mb-5 flex items-center justify-between gap-4">
        <h1 id="select-title" className="text-20 font-bold">
          {t('chooseCard')}
        </h1>
        <Link to="/open-account" className={getButtonClass('secondary')}>
          <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('newCard')}
        </Link>
      </div>
      {cards.isError && !cards.data ? (
        <ErrorState error={cards.error} title={t('cardsFailed')} onRetry={() => void cards.refetch()} />
      ) : !cards.data ? (
        <Skeleton className="h-64" />
      ) : cards.data.length === 0 ? (
        <NoCard />
      ) : (
        <ul className="card divide-y divide-line">
          {cards.data.map((card) => (
            <li key={card.id}>
              <button
                type="button"
                onClick={() => choose(card.id)}
                className="flex w-full items-center gap-4 px-4 py-3.5 text-left hover:bg-sunken -outline-offset-2"
              >
                <CardFace card={card} className="card-face-mini !w-[92px] shrink-0" />
                <span className="min-w-0 flex-1">
                  <span className="flex flex-wrap items-center gap-2 text-14 font-semibold">
                    {formatCardName(t, card)} {card.last4 ? <Badge tone={tones[card.state]}>{t(CARDS_STATE_TEXT[card.state])}</Badge> : null}
                  </span>
                  <span className="block truncate text-13 text-fg-3">{card.holder}</span>
                </span>
                <span className="text-14 font-semibold">{card.last4 ? <UsdShort value={card.available} kind="have" /> : null}</span>
                <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
