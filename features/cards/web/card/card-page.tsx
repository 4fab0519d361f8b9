import { Link } from '@tanstack/react-router'
import { Plus, KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { useTitle } from '#platform/web/title.ts'
import { getButtonClass, Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { refreshCards, useCards, useChosenCard, useChallenges } from '../use-cards.ts'
import { CardDialogs } from './dialogs/card-dialogs.tsx'
import { formatCardName, isOpeningCard } from './card-words.ts'
import { NoCard } from './no-card.tsx'
import { OfflineLine } from '../offline-line.tsx'
import { FailedCard, OpeningCard } from './opening-card.tsx'
import { WorkingCard } from './working-card.tsx'
import { CARDS_STATE_TEXT } from '../../state-texts.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { displayUsd } from '#platform/web/money.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { formatClock, useCountdown } from '#ui/time/countdown.tsx'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { cardsApi } from '../cards-api.ts'
import { CardFace } from '../card-face.tsx'
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
  /** Card that replaced this one. */
  readonly successor: CardRow | undefined
  readonly onChoose: (id: string) => void
}

/** A closed card: the reason, where the rest of its money is, and a link to a new card. Its bills stay. */
function ClosedCard({ card, successor, onChoose }: ClosedCardProps) {
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

type Row = NonNullable<ReturnType<typeof useChallenges>['data']>[number]

/** Codes that a shop's bank waits for; shown above everything because they expire within minutes. */
function Challenges() {
  const rows = useChallenges(true).data ?? []
  return (
    <div role="status" className="grid gap-3 empty:hidden [&:not(:empty)]:mb-5">
      {rows.map((row) => (
        <Challenge key={row.id} row={row} />
      ))}
    </div>
  )
}

function Challenge({ row }: { readonly row: Row }) {
  const t = useTexts(cardTexts)
  const seconds = useCountdown(Date.parse(row.expiresTime))
  if (seconds === 0) return null
  return (
    <div className="card flex flex-wrap items-center gap-x-6 gap-y-3 border-brand px-5 py-4 mobile:px-4">
      <KeyRound size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brand" />
      <div className="min-w-0 flex-[1_1_220px]">
        <p className="text-14 font-semibold">{t('codeTitle', { merchant: row.merchant, amount: displayUsd(row.amount) })}</p>
        <p className="text-13 text-fg-2">
          {t('codeAbout', { last4: row.last4 })}{' '}
          <span className="tabular" aria-live="off">
            {t('codeLeft', { left: formatClock(seconds) })}
          </span>
        </p>
      </div>
      <div className="flex items-center gap-4">
        <span className="num text-28 font-semibold tracking-[0.08em]">{row.code}</span>
        <CopyButton text={row.code} word={t('copyCode')} label={t('copyCodeOf', { merchant: row.merchant })} variant="primary" size="md" />
      </div>
    </div>
  )
}

/** Skeleton of the page, with its measures, while the card is loading. */
function CardSkeleton() {
  const t = useTexts(cardTexts)
  return (
    <div role="status" className="grid gap-6 min-[1300px]:grid-cols-[424px_minmax(0,1fr)] min-[1300px]:gap-10">
      <span className="sr-only">{t('loadingCard')}</span>
      <Skeleton className="aspect-[1.586] w-full !rounded-dialog" />
      <div className="grid content-start gap-4">
        <Skeleton className="h-20 w-56" />
        <Skeleton className="h-32 w-full" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-64 w-full" />
      </div>
    </div>
  )
}

const KIND_TEXT = { standard: 'kind_standard', pro: 'kind_pro' } as const

/** Number of card tabs on a phone; with more cards, they have their own page. */
const MAX_CARD_TABS = 2

/** /card: one card at a time, chosen above, with everything about it. */
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
