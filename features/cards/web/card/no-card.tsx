import { Link } from '@tanstack/react-router'
import { Check, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { cardTexts } from '../../texts.ts'
import { CARD_TYPES, OPENING_STATUS } from '../../words.ts'
import { useCardAmount, useCardOpening } from '../use-cards.ts'

/** Page without a card: its price and uses; a started opening continues from here. */
export function NoCard() {
  const t = useTexts(cardTexts)
  const amount = useCardAmount().data
  const opening = useCardOpening(true).data
  const begun = opening !== undefined && opening.status !== OPENING_STATUS.NONE && opening.status !== OPENING_STATUS.OPENED
  const paused = opening?.pausedUntil ?? amount?.pausedUntil ?? null
  return (
    <div className="grid items-start gap-x-10 gap-y-7 min-[1300px]:grid-cols-[minmax(320px,424px)_minmax(0,1fr)]">
      <EmptyPlace text={t('noneHere')} />
      <div className="grid gap-5">
        <div>
          <h2 className="text-20 font-bold">{t('noneTitle')}</h2>
          <p className="mt-1 max-w-xl text-14 text-fg-2">{t('noneAbout')}</p>
        </div>
        {paused !== null ? (
          <AlertBox kind="warning" title={t('pausedTitle')}>
            {paused ? t('pausedUntil', { time: displayTime(paused) }) : t('pausedAbout')}
          </AlertBox>
        ) : null}
        <div className="flex flex-wrap items-center gap-3">
          <Link to="/open-account" className={getButtonClass('primary', 'lg')}>
            {begun ? t('goOn') : amount ? t('openFor', { amount: displayUsd(amount.openAccount) }) : t('openCard')}
          </Link>
          <Link to="/help/$slug" params={{ slug: 'virtual-card' }} className={getButtonClass('ghost', 'lg')}>
            {t('howItWorks')}
          </Link>
        </div>
        <Prices />
      </div>
    </div>
  )
}

/** Compares the two types: cost, years, limits, and uses. */
function Prices() {
  const t = useTexts(cardTexts)
  const { data: amount, isError, error, refetch } = useCardAmount()
  if (!amount) return isError ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton className="h-56" />
  const rows = [
    [t('priceOpen'), displayUsd(amount.openAccount), displayUsd(amount.proCard)],
    [t('priceYears'), t('years', { count: amount.standardYears }), t('years', { count: amount.proYears })],
    [t('priceFirst'), displayUsd(amount.firstMinimum), displayUsd(amount.firstMinimum)],
    [t('priceMonth'), displayUsd(amount.monthlyLimitIdentified), displayUsd(amount.monthlyLimitIdentified)],
  ] as const
  return (
    <div className="card max-w-2xl overflow-x-auto" tabIndex={0} role="group" aria-label={t('priceTitle')}>
      <table className="w-full border-collapse text-14 tabular">
        <caption className="sr-only">{t('priceTitle')}</caption>
        <thead className="bg-sunken text-13">
          <tr>
            <th scope="col" className="px-4 py-2.5 text-left font-medium text-fg-2">
              <span className="sr-only">{t('priceWhat')}</span>
            </th>
            <th scope="col" className="px-4 py-2.5 text-right font-semibold">
              {t('type_standard')}
            </th>
            <th scope="col" className="px-4 py-2.5 text-right font-semibold">
              {t('type_pro')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, standard, pro]) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="px-4 py-2.5 text-left font-normal text-fg-2">
                {name}
              </th>
              <td className="num px-4 py-2.5 text-right">{standard}</td>
              <td className="num px-4 py-2.5 text-right">{pro}</td>
            </tr>
          ))}
          <Fit name={t('fitAi')} standard pro={false} />
          <Fit name={t('fitStreaming')} standard={false} pro />
          <tr className="border-t border-line">
            <td />
            {CARD_TYPES.map((type) => (
              <td key={type} className="px-4 py-2.5 text-right">
                <Link to="/open-account" search={{ type }} className="link">
                  {t(type === 'pro' ? 'openPro' : 'openStandard')}
                </Link>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function Fit({ name, standard, pro }: { readonly name: string; readonly standard: boolean; readonly pro: boolean }) {
  const t = useTexts(cardTexts)
  return (
    <tr className="border-t border-line">
      <th scope="row" className="px-4 py-2.5 text-left font-normal text-fg-2">
        {name}
      </th>
      {[standard, pro].map((yes, at) => (
        <td key={at} className="px-4 py-2.5 text-right">
          {yes ? (
            <Check size={16} className="ml-auto text-success" role="img" aria-label={t('yes')} />
          ) : (
            <X size={16} className="ml-auto text-fg-3" role="img" aria-label={t('no')} />
          )}
        </td>
      ))}
    </tr>
  )
}

/** Placeholder of a card: its outline with a receipt in it. */
function EmptyPlace({ text }: { readonly text: string }) {
  return (
    <div className="flex aspect-[1.586] w-full flex-col items-center justify-center gap-3 rounded-dialog border-[1.5px] border-dashed border-control">
      <svg width="44" height="54" viewBox="0 0 56 68" fill="none" stroke="currentColor" strokeWidth="1.750" className="text-control" aria-hidden="true">
        <path d="M1 1h54v62q-3.400-4-6.750 0t-6.750 0t-6.750 0t-6.750 0t-6.750 0t-6.750 0t-6.750 0t-6.750 0z" />
        <path d="M12 16h16M40 16h4M12 27h12M40 27h4" strokeLinecap="round" />
        <path d="M12 40h32" strokeDasharray="2 4" />
      </svg>
      <p className="text-13 text-fg-3">{text}</p>
    </div>
  )
}
