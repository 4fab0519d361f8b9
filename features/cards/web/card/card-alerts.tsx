import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { usePricedOrder } from '../acts/use-priced.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards } from '../use-cards.ts'
import { useCardDialog } from './dialogs/card-dialog-state.ts'
import type { TranslateCard } from './card-words.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const FROZEN_BY_TEXT = { user: 'frozenBy_user', risk: 'frozenBy_risk', issuer: 'frozenBy_issuer' } as const
const FROZEN_ABOUT_TEXT = { user: 'frozenAbout_user', risk: 'frozenAbout_risk', issuer: 'frozenAbout_issuer' } as const
const WARNING_TEXT = {
  owed: 'warning_owed',
  refusals: 'warning_refusals',
  month_nearly_spent: 'warning_month_nearly_spent',
  returned: 'warning_returned',
  expiring: 'warning_expiring',
  must_change: 'warning_must_change',
} as const
const WARNING_ABOUT_TEXT = {
  refusals: 'warningAbout_refusals',
  expiring: 'warningAbout_expiring',
  owed: 'warningAbout_owed',
  must_change: 'warningAbout_must_change',
  month_nearly_spent: 'warningAbout_month_nearly_spent',
  returned: 'warningAbout_returned',
} as const

const READABLE: readonly string[] = ['refusals', 'expiring', 'month_nearly_spent', 'returned']

/** Warnings of a card: freezes, debt, upcoming events. Informational ones can be marked as read. */
export function CardAlerts({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const [read, setRead] = useState(false)
  const priced = usePricedOrder(card.id)
  const open = useCardDialog((state) => state.open)
  const markRead = () => {
    setRead(true)
    cardsApi.warning({ idList: [card.id] }).then(
      () => refreshCards(),
      () => setRead(false),
    )
  }
  const known = card.warnings.filter(({ name }) => !(read && READABLE.includes(name)))
  const act = (name: string): ReactNode => {
    if (name === 'owed') return <PayButton text={t('settle')} busy={priced.busy} onPress={() => void priced.pay('outstanding')} />
    if (name === 'expiring') return <PayButton text={t('renew')} busy={priced.busy} onPress={() => void priced.pay('renewal')} />
    if (name === 'must_change') return <PayButton text={t('changeNow')} busy={priced.busy} onPress={() => void priced.pay('change')} />
    if (name === 'refusals') return <PayButton text={t('topUp')} onPress={() => open('recharge')} />
    return null
  }
  // a card that the issuer has ended cannot be unfrozen: its warning says what to do instead
  const isEnded = card.frozenBy === 'issuer' && card.warnings.some(({ name }) => name === 'must_change')
  return (
    <>
      {card.state === 'frozen' && !isEnded ? (
        <AlertBox
          kind={card.frozenBy === 'user' ? 'info' : 'warning'}
          title={t(FROZEN_BY_TEXT[card.frozenBy ?? 'issuer'])}
          action={card.frozenBy === 'risk' ? <PayButton text={t('thawRisk')} busy={priced.busy} onPress={() => void priced.pay('unfreeze')} /> : undefined}
        >
          {t(FROZEN_ABOUT_TEXT[card.frozenBy ?? 'issuer'])}
        </AlertBox>
      ) : null}
      {known.map(({ name, facts }) => (
        <AlertBox
          key={name}
          kind={name === 'month_nearly_spent' || name === 'returned' ? 'info' : 'warning'}
          title={t(WARNING_TEXT[name], formatFacts(facts))}
          action={
            <div className="flex gap-2">
              {act(name)}
              {READABLE.includes(name) ? (
                <Button variant="ghost" size="sm" onClick={markRead}>
                  {t('gotIt')}
                </Button>
              ) : null}
            </div>
          }
        >
          {formatAbout(t, name, facts)}
        </AlertBox>
      ))}
    </>
  )
}

function PayButton({ text, busy = false, onPress }: { readonly text: string; readonly busy?: boolean; readonly onPress: () => void }) {
  return (
    <Button variant="secondary" size="sm" loading={busy} onClick={onPress}>
      {text}
    </Button>
  )
}

/** Amounts and times as people read them. */
function formatFacts(facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      /^\d{4}-\d\d-\d\dT/.test(value) ? displayTime(value, 'day') : name === 'amount' || name === 'missing' ? displayUsd(value) : value,
    ]),
  )
}

function formatAbout(t: TranslateCard, name: string, facts: Readonly<Record<string, string>>): string {
  if (name === 'refusals' && facts['merchant'] === undefined) return t('refusedNote', facts)
  return t(resolveTextKey(WARNING_ABOUT_TEXT, name), formatFacts(facts))
}
