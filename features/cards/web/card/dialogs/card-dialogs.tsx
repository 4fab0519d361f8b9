import { lazy, Suspense, useEffect, type ComponentType } from 'react'
import type { CardRow } from '../../../contract.ts'
import type { CardDialogProps } from '../../card-dialog-props.ts'
import { useCardDialog, type CardDialog } from './card-dialog-state.ts'

/** Dialogs, each loaded on first use. */
const dialogs: Record<CardDialog, ComponentType<CardDialogProps>> = {
  recharge: lazy(() => import('../../money/recharge-dialog.tsx').then((m) => ({ default: m.CardRechargeDialog }))),
  withdraw: lazy(() => import('../../money/withdraw-dialog.tsx').then((m) => ({ default: m.CardWithdrawDialog }))),
  bind: lazy(() => import('../../bind/bind-sheet.tsx').then((m) => ({ default: m.BindSheet }))),
  papers: lazy(() => import('../../bills/papers-dialog.tsx').then((m) => ({ default: m.PapersDialog }))),
  change: lazy(() => import('../../acts/change-dialog.tsx').then((m) => ({ default: m.ChangeDialog }))),
  close: lazy(() => import('../../acts/close-dialog.tsx').then((m) => ({ default: m.CloseDialog }))),
  lost: lazy(() => import('../../acts/close-dialog.tsx').then((m) => ({ default: m.LostDialog }))),
  address: lazy(() => import('../../reveal/address-dialog.tsx').then((m) => ({ default: m.AddressDialog }))),
}

export function CardDialogs({ card }: { readonly card: CardRow }) {
  const { name, opened, close } = useCardDialog()
  useEffect(() => close, [close])
  return (
    <Suspense>
      {Object.entries(dialogs).map(([key, Dialog]) =>
        opened.has(key as CardDialog) ? <Dialog key={key} card={card} open={name === key} onClose={close} /> : null,
      )}
    </Suspense>
  )
}
