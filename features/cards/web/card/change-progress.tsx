import { ArrowRight } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { useCardChange } from '../use-cards.ts'
import { CardFace } from '../card-face.tsx'

/** A change under way: the card that goes, the card that comes, and how far it is. Nothing where nothing changes. */
export function CardChangeProgress({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const change = useCardChange(card.id, true).data
  if (!change || change.status === 'idle') return null
  if (change.status === 'success' && !change.newCard) return null
  const made = change.status === 'success' || change.newCard?.last4
  const failed = change.status === 'failed'
  return (
    <section aria-label={t('changeTitle')} className="card grid gap-5 p-5 desktop:grid-cols-[200px_minmax(0,1fr)] mobile:p-4">
      <div className="flex items-center gap-3">
        <CardFace card={{ ...card, state: 'frozen' }} className="card-face-mini !w-20" />
        <ArrowRight size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
        <CardFace card={change.newCard ?? { ...card, last4: '', expiry: '', state: 'opening' }} className="card-face-mini !w-20" />
      </div>
      <Timeline
        label={t('changeTitle')}
        steps={[
          { key: 'asked', state: 'done', text: t('changeAsked') },
          {
            key: 'made',
            state: failed ? 'failed' : made ? 'done' : 'now',
            text: t(failed ? 'changeFailed' : 'changeMade'),
            time: made || failed ? '' : t('stepMadeTime'),
          },
          {
            key: 'moved',
            state: change.status === 'success' ? 'done' : made && !failed ? 'now' : 'todo',
            // until it has moved, what is on the old one
            text: t('changeMoved', { amount: displayUsd(change.status === 'success' ? change.amount : card.available) }),
          },
        ]}
      />
    </section>
  )
}
