import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import { Button } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { useRechargeBounds } from '../use-cards.ts'
import { useCardDialog } from './dialogs/card-dialog-state.ts'

/** A card without money: what the first recharge comes to, and what of it lands on the card. */
export function FirstRecharge({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const bounds = useRechargeBounds(card.id).data
  const open = useCardDialog((state) => state.open)
  // Without the activation fee the first one has been made, and is on its way.
  if (bounds && parseUsd(bounds.activationFee) === 0n)
    return (
      <div className="card p-6 mobile:p-5" role="status">
        <h2 className="text-18 font-bold">{t('firstOnItsWay')}</h2>
        <p className="mt-1 text-14 text-fg-2">{t('firstOnItsWayAbout')}</p>
      </div>
    )
  return (
    <div className="card grid items-center gap-6 p-6 desktop:grid-cols-[minmax(0,1fr)_260px] mobile:p-5">
      <div>
        <h2 className="text-18 font-bold">{t('firstTitle')}</h2>
        <p className="mt-1 text-14 text-fg-2">
          {bounds ? t('firstAbout', { min: displayUsd(bounds.min), fee: displayUsd(bounds.activationFee) }) : t('firstAboutShort')}
        </p>
        <Button size="lg" className="mt-4" onClick={() => runIfFeatureOn('recharge', () => open('recharge'))} aria-keyshortcuts="R">
          {t('firstButton')}
        </Button>
      </div>
      {bounds ? (
        <Receipt look="inline" label={t('firstTitle')} className="mobile:hidden">
          <ReceiptRow label={t('lineRecharge')} value={displayUsd(bounds.min)} />
          <ReceiptRow label={t('lineActivation')} value={`−${displayUsd(bounds.activationFee)}`} />
          <ReceiptRule />
          <ReceiptRow
            label={<b>{t('lineOnCard')}</b>}
            value={<b>{displayUsd(formatUsd(subtractNano(parseUsd(bounds.min), parseUsd(bounds.activationFee))))}</b>}
          />
        </Receipt>
      ) : null}
    </div>
  )
}
