import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { displayTime } from '#platform/web/time.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { toast } from '#ui/layers/toast.ts'
import { Timeline } from '#ui/time/timeline.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import type { FailureStep, OpeningPace } from '../../words.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, updateCachedCard } from '../use-cards.ts'
import { CardFace } from '../card-face.tsx'
import { OPEN_REASON_TEXTS } from './open-reasons.ts'
import type { CardKey } from './card-words.ts'

const ABOUT: Readonly<Record<OpeningPace, CardKey>> = { normal: 'openingAbout', slow: 'openingSlow', operators: 'openingLate' }

/** A card that is being opened: each step with its usual time while that holds, afterwards what happens next and whom to contact. */
export function OpeningCard({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const sent = card.state === 'opening'
  const pace = card.pace ?? 'normal'
  const inTime = pace === 'normal'
  return (
    <div className="grid items-start gap-x-10 gap-y-7 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <CardFace card={card} className="opening" />
      <div>
        <h2 className="text-20 font-bold">{t('openingTitle')}</h2>
        <p className="mt-1 text-14 text-fg-2">{t(ABOUT[pace])}</p>
        <div className="card mt-5 max-w-xl p-5">
          <Timeline
            label={t('openingTitle')}
            steps={[
              { key: 'paid', state: 'done', text: t('stepPaid'), time: displayTime(card.createdTime).slice(5) },
              { key: 'sent', state: sent ? 'done' : 'now', text: t('stepSent'), time: sent || !inTime ? '' : t('stepSentTime') },
              { key: 'made', state: sent ? 'now' : 'todo', text: t('stepMade'), time: inTime ? t('stepMadeTime') : '' },
              { key: 'recharge', state: 'todo', text: t('stepRecharge'), time: t('stepRechargeTime') },
            ]}
          />
        </div>
        <p className="mt-3 flex items-center gap-2 text-13 text-fg-3">
          <span className="live-dot" aria-hidden="true" />
          {t('openingLive')}
        </p>
        {inTime ? null : (
          <Button variant="secondary" className="mt-4" onClick={() => openSupport()}>
            {t('support')}
          </Button>
        )}
      </div>
    </div>
  )
}

const NEXT: Readonly<Record<FailureStep, CardKey>> = { reopen: 'failedReopen', again: 'failedAgain', correct: 'failedCorrect', ask: 'failedSupport' }

/** A failed opening: the reason, where the money is, and the next step. */
export function FailedCard({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const next = card.failure?.next ?? 'ask'
  const back = card.failure?.moneyBack ?? null
  return (
    <div className="grid items-start gap-x-10 gap-y-7 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <CardFace card={{ ...card, state: 'frozen' }} />
      <div className="grid max-w-xl gap-4">
        <div>
          <h2 className="text-20 font-bold">{t('failedTitle')}</h2>
          <p className="mt-1 text-14 text-fg-2">{t(NEXT[next])}</p>
        </div>
        <AlertBox kind="error" title={t('failedWhy')}>
          {card.failReason === '' ? t('open_reason_other') : t(OPEN_REASON_TEXTS[card.failReason])}
        </AlertBox>
        {back ? (
          <AlertBox kind={back.isDone ? 'success' : 'info'} title={t(back.isDone ? 'moneyBackDone' : 'moneyBackGoing', { amount: back.amount })}>
            {t(back.goesTo === 'balance' ? 'moneyBackBalance' : back.isDone ? 'moneyBackChannelDone' : 'moneyBackChannel')}
          </AlertBox>
        ) : null}
        <div className="flex flex-wrap gap-3 mobile:[&>*]:flex-1">
          <NextButton card={card} next={next} />
          <Button variant={next === 'ask' ? 'primary' : 'secondary'} onClick={() => openSupport()}>
            {t('support')}
          </Button>
        </div>
      </div>
    </div>
  )
}

function NextButton({ card, next }: { readonly card: CardRow; readonly next: FailureStep }) {
  const t = useTexts(cardTexts)
  const [busy, setBusy] = useState(false)
  if (next === 'ask') return null
  if (next !== 'reopen')
    return (
      <Link to="/open-account" search={{ type: card.type }} className={getButtonClass('primary')}>
        {t(next === 'again' ? 'openAgain' : 'correctData')}
      </Link>
    )
  const again = async () => {
    setBusy(true)
    try {
      updateCachedCard(await cardsApi.reOpenCard({ id: card.id }))
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('notDone'))
    } finally {
      setBusy(false)
      refreshCards()
    }
  }
  return (
    <Button loading={busy} onClick={() => void again()}>
      {t('reopen')}
    </Button>
  )
}
