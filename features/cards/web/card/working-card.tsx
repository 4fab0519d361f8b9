import { useQueryParam } from '#platform/web/state/url-state.ts'
import { useEffect, useRef } from 'react'
import type { CardRow } from '../../contract.ts'
import { RevealPaper } from '../reveal/reveal-paper.tsx'
import { useReveal } from '../reveal/use-reveal.ts'
import { useFreeze } from '../acts/use-freeze.ts'
import { CardFace } from '../card-face.tsx'
import { ActionStrip } from './action-strip.tsx'
import { CardAlerts } from './card-alerts.tsx'
import { useCardDialog } from './dialogs/card-dialog-state.ts'
import { CardChangeProgress } from './change-progress.tsx'
import { FirstRecharge } from './first-recharge.tsx'
import { Membership } from './membership.tsx'
import { CardLimits } from './limits.tsx'
import { CardMoney } from './card-money.tsx'
import { RecentBills } from './recent-bills.tsx'
import { useCardKeys } from './use-card-keys.ts'

/** A card that exists: its face and what it prints at the left, its money and its book at the right. */
export function WorkingCard({ card }: { readonly card: CardRow }) {
  const reveal = useReveal(card)
  const freeze = useFreeze(card)
  const open = useCardDialog((state) => state.open)
  useLinkedDialog()
  useCardKeys({
    V: () => void reveal.press(),
    F: () => void freeze.press(),
    R: () => open('recharge'),
  })
  return (
    <div className="grid items-start gap-x-10 gap-y-5 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <div className="min-w-0 max-w-[424px] min-[1300px]:sticky min-[1300px]:top-20">
        <CardFace card={card} />
        <RevealPaper card={card} reveal={reveal} />
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <CardAlerts card={card} />
        <CardChangeProgress card={card} />
        <CardMoney card={card} freeze={freeze} />
        {card.needsFirstRecharge ? <FirstRecharge card={card} /> : null}
        <CardLimits card={card} />
        <ActionStrip card={card} />
        <RecentBills card={card} />
        <Membership />
      </div>
    </div>
  )
}

const LINKED = ['recharge', 'withdraw', 'bind', 'papers'] as const

/** `?do=recharge` in a mail or a help article opens that dialog, once. */
function useLinkedDialog(): void {
  const [asked, setAsked] = useQueryParam<string>('do', '')
  const open = useCardDialog((state) => state.open)
  const done = useRef('')
  useEffect(() => {
    const name = LINKED.find((one) => one === asked)
    if (!name || done.current === asked) return
    done.current = asked
    setAsked('')
    open(name)
  }, [asked, setAsked, open])
}
