import { Link } from '@tanstack/react-router'
import { useTexts } from '#platform/web/i18n.ts'
import { UsdShort } from '#platform/web/money.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { cardTexts } from '../../texts.ts'
import { useCards } from '../use-cards.ts'
import { CardFace } from '../card-face.tsx'
import { isWorkingCard } from './card-words.ts'
import { CARDS_STATE_TEXT } from '../../state-texts.ts'

/** Overview tile: the card in use with its balance, or an offer to get one. Hidden until the cards are loaded. */
export function CardsTile() {
  const t = useTexts(cardTexts)
  const cards = useCards().data
  if (!cards) return null
  const card = cards.find(isWorkingCard) ?? cards[0]
  return (
    <section aria-label={t('tileTitle')} className="card flex flex-wrap items-center gap-4 px-5 py-4 mobile:px-4">
      {card ? <CardFace card={card} className="card-face-mini !w-[84px] shrink-0" /> : null}
      <div className="min-w-0 flex-1">
        <h2 className="text-14 font-semibold">{t('tileTitle')}</h2>
        <p className="text-14 text-fg-2">
          {card?.last4 ? (
            <>
              {t('tileOf', { last4: card.last4 })} <UsdShort value={card.available} kind="have" />
            </>
          ) : (
            t(card ? CARDS_STATE_TEXT[card.state] : 'tileNone')
          )}
        </p>
      </div>
      <Link to="/card" className={getButtonClass('secondary', 'sm')}>
        {t(card ? 'tileGo' : 'tileOpen')}
      </Link>
    </section>
  )
}
