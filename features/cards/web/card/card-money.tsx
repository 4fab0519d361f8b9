import { ArrowDownToLine, ClipboardList, Plus, Snowflake, Sun } from 'lucide-react'
import { parseUsd } from '#platform/shared/money.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd, UsdShort } from '#platform/web/money.tsx'
import { useFeature, runIfFeatureOn } from '#platform/web/state/flags.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, type ButtonVariant } from '#ui/button.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import type { Freeze } from '../acts/use-freeze.ts'
import { useCardDialog } from './dialogs/card-dialog-state.ts'

interface CardMoneyProps {
  readonly card: CardRow
  readonly freeze: Freeze
}

/** Spendable balance, its parts, and the three money actions. */
export function CardMoney({ card, freeze }: CardMoneyProps) {
  const t = useTexts(cardTexts)
  const mobile = useIsMobile()
  const owes = parseUsd(card.owed) > 0n
  const held = parseUsd(card.reserved) > 0n
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <p className="flex items-center gap-2 text-14 text-fg-2">
          {t('available')}
          {card.state === 'frozen' ? <Badge tone="info">{t('state_frozen')}</Badge> : null}
        </p>
        <p className={`text-40 font-semibold ${card.state === 'frozen' ? 'text-fg-3' : ''}`}>
          <UsdShort value={card.available} kind="have" figure={FIGURES['card.available']} />
        </p>
        <p className="text-13 text-fg-3">
          {t(held ? 'bookedAndHeld' : 'booked', { balance: displayUsd(card.balance), reserved: displayUsd(card.reserved) })}
          {owes ? <span className="text-danger">{t('owes', { amount: displayUsd(card.owed) })}</span> : null}
        </p>
      </div>
      {card.needsFirstRecharge ? null : mobile ? <PhoneActions card={card} freeze={freeze} /> : <DeskActions card={card} freeze={freeze} />}
    </div>
  )
}

/** False while risk rules or the issuer freeze the card: its money stays until it is unfrozen. */
const canWithdraw = ({ state, frozenBy }: CardRow): boolean => state !== 'frozen' || frozenBy === 'user'

function DeskActions({ card, freeze }: CardMoneyProps) {
  const t = useTexts(cardTexts)
  const open = useCardDialog((state) => state.open)
  const isOn = useFeature('recharge')
  const frozen = card.state === 'frozen'
  return (
    <div className="flex gap-2">
      {frozen ? null : (
        <Button variant={isOn ? 'primary' : 'secondary'} onClick={() => runIfFeatureOn('recharge', () => open('recharge'))} aria-keyshortcuts="R">
          {t('topUp')}
        </Button>
      )}
      {canWithdraw(card) ? (
        <Button variant="secondary" onClick={() => runIfFeatureOn('withdrawal', () => open('withdraw'))}>
          {t('withdraw')}
        </Button>
      ) : null}
      <FreezeButton card={card} freeze={freeze} />
    </div>
  )
}

/**
 * Freezes or unfreezes the card for its user. A risk freeze is lifted for a price in the alert above; a freeze by the issuer by the issuer
 * only.
 */
function FreezeButton({ card, freeze }: CardMoneyProps) {
  const t = useTexts(cardTexts)
  if (card.state === 'frozen')
    return card.frozenBy === 'user' ? (
      <Button loading={freeze.busy} onClick={() => void freeze.press()} aria-keyshortcuts="F">
        <Sun size={16} strokeWidth={1.75} aria-hidden="true" />
        {t('thaw')}
      </Button>
    ) : null
  return (
    <Button variant="secondary" loading={freeze.busy} onClick={() => void freeze.press()} aria-keyshortcuts="F">
      <Snowflake size={16} strokeWidth={1.75} aria-hidden="true" />
      {t('freeze')}
    </Button>
  )
}

function PhoneActions({ card, freeze }: CardMoneyProps) {
  const t = useTexts(cardTexts)
  const open = useCardDialog((state) => state.open)
  const frozen = card.state === 'frozen'
  const canThaw = frozen && card.frozenBy === 'user'
  const acts: readonly { key: string; text: string; Icon: typeof Plus; variant: ButtonVariant; run: () => void; busy?: boolean }[] = [
    ...(frozen
      ? []
      : [
          { key: 'recharge', text: t('rechargeShort'), Icon: Plus, variant: 'primary' as const, run: () => runIfFeatureOn('recharge', () => open('recharge')) },
        ]),
    ...(canWithdraw(card)
      ? [
          {
            key: 'withdraw',
            text: t('withdraw'),
            Icon: ArrowDownToLine,
            variant: 'secondary' as const,
            run: () => runIfFeatureOn('withdrawal', () => open('withdraw')),
          },
        ]
      : []),
    { key: 'bind', text: t('bindShort'), Icon: ClipboardList, variant: 'secondary', run: () => open('bind') },
    ...(frozen && !canThaw
      ? []
      : [
          {
            key: 'freeze',
            text: t(frozen ? 'thaw' : 'freeze'),
            Icon: frozen ? Sun : Snowflake,
            variant: frozen ? ('primary' as const) : ('secondary' as const),
            run: () => void freeze.press(),
            busy: freeze.busy,
          },
        ]),
  ]
  return (
    <div className="grid w-full auto-cols-fr grid-flow-col gap-2">
      {acts.map(({ key, text, Icon, variant, run, busy }) => (
        <Button key={key} variant={variant} loading={busy ?? false} onClick={run} className="!min-h-16 flex-col !gap-1 !px-1 !text-13">
          <Icon size={20} strokeWidth={1.75} aria-hidden="true" />
          {text}
        </Button>
      ))}
    </div>
  )
}
