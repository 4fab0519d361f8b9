import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { timeDisplay } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { toast } from '#ui/layers/toast.ts'
import { Timeline } from '#ui/time/timeline.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, showCard } from '../use-cards.ts'
import { CardFace } from './card-face.tsx'
import type { Say } from './card-words.ts'

/** The card is being made: each step with the time it takes, and no need to wait here. */
export function OpeningCard({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const sent = card.state === 'opening'
  return (
    <div className="grid items-start gap-x-10 gap-y-7 desktop:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <CardFace card={card} className="opening" />
      <div>
        <h2 className="text-20 font-bold">{t('openingTitle')}</h2>
        <p className="mt-1 text-14 text-fg-2">{t('openingAbout')}</p>
        <div className="card mt-5 max-w-xl p-5">
          <Timeline
            label={t('openingTitle')}
            steps={[
              { key: 'paid', state: 'done', text: t('stepPaid'), time: timeDisplay(card.createdTime).slice(5) },
              { key: 'sent', state: sent ? 'done' : 'now', text: t('stepSent'), time: sent ? '' : t('stepSentTime') },
              { key: 'made', state: sent ? 'now' : 'todo', text: t('stepMade'), time: t('stepMadeTime') },
              { key: 'recharge', state: 'todo', text: t('stepRecharge'), time: t('stepRechargeTime') },
            ]}
          />
        </div>
        <p className="mt-3 flex items-center gap-2 text-13 text-fg-3">
          <span className="live-dot" aria-hidden="true" />
          {t('openingLive')}
        </p>
      </div>
    </div>
  )
}

/** It could not be made: why, and the way on, which costs nothing more. */
export function FailedCard({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const [busy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    try {
      showCard(await cardsApi.reOpenCard({ id: card.id }))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('notDone'))
    } finally {
      setBusy(false)
      refreshCards()
    }
  }
  return (
    <div className="grid items-start gap-x-10 gap-y-7 desktop:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <CardFace card={{ ...card, state: 'frozen' }} />
      <div className="grid max-w-xl gap-4">
        <div>
          <h2 className="text-20 font-bold">{t('failedTitle')}</h2>
          <p className="mt-1 text-14 text-fg-2">{t('failedAbout')}</p>
        </div>
        <AlertBox kind="error" title={t('failedWhy')}>
          {reasonText(t, card.failReason)}
        </AlertBox>
        <div className="flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          <Button loading={busy} onClick={() => void again()}>
            {t('reopen')}
          </Button>
          <Button variant="secondary" onClick={() => openSupport()}>
            {t('support')}
          </Button>
        </div>
      </div>
    </div>
  )
}

const REASONS = ['name', 'address', 'document', 'declined', 'issuer_away', 'duplicate', 'no_answer'] as const

function reasonText(t: Say, reason: string): string {
  const known = REASONS.find((name) => name === reason)
  return known ? t(`open_reason_${known}`) : t('open_reason_other')
}
