import { Link } from '@tanstack/react-router'
import { subtractNano, parseUsd, computeShareMillionths, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { Meter } from '#ui/figures/meter.tsx'
import { Pips } from '#ui/figures/pips.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'

const DANGER_FROM = 5

/** Remaining monthly limit, and progress towards closing by refusals, each with its rule. */
export function CardLimits({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const { monthSpent, monthlyLimit, refusals } = card
  const limit = parseUsd(monthlyLimit)
  const left = subtractNano(limit, parseUsd(monthSpent))
  const share = limit > 0n ? computeShareMillionths(parseUsd(monthSpent), limit) / 1e6 : 0
  return (
    <div className="card grid divide-line max-[899px]:divide-y min-[900px]:grid-cols-2 min-[900px]:divide-x">
      <div className="p-5 mobile:p-4">
        <Meter
          label={<b className="text-14 font-semibold text-fg">{t('month')}</b>}
          used={displayUsd(monthSpent)}
          of={displayUsd(monthlyLimit)}
          share={share}
          note={
            <>
              {t(left > 0n ? 'monthLeft' : 'monthFull', {
                amount: displayUsd(left > 0n ? formatUsd(left) : '0'),
                time: displayTime(card.monthResets).slice(5),
              })}
              {limit < parseUsd('1000') ? (
                <>
                  {' '}
                  <Link to="/open-account" className="link whitespace-nowrap">
                    {t('raiseLimit')}
                  </Link>
                </>
              ) : null}
            </>
          }
        />
      </div>
      <div className="p-5 mobile:p-4">
        <Pips
          label={<b className="text-14 font-semibold text-fg">{t('refused')}</b>}
          count={refusals.inRow}
          of={refusals.closesAt}
          unit={t('times')}
          dangerFrom={DANGER_FROM}
          note={
            <>
              {t(refusals.inRow ? 'refusedNote' : 'refusedNone', { left: refusals.closesAt - refusals.inRow, of: refusals.closesAt })}
              {t(refusals.rateCounted ? 'rateNote' : 'rateSoon', { rate: percentText(refusals.rate), closes: percentText(refusals.rateClosesAt) })}
              <Link to="/help/$slug" params={{ slug: 'card-binding' }} hash="declined" className="link whitespace-nowrap">
                {t('rule')}
              </Link>
            </>
          }
        />
      </div>
    </div>
  )
}

/** 0.091 → "9.1%": at most one decimal. */
const percentText = (share: number) => `${Math.round(share * 1000) / 10}%`
