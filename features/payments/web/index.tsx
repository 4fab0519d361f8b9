import type {} from '#platform/web/state/dialogs.ts'

declare module '#platform/web/state/dialogs.ts' {
  interface DialogProps {
    /** Takes balance out; anonymous people have none. */
    withdraw: {}
  }
}

const loaders = () => import('./loaders.ts')

/** Loaders of the shell's components, a chunk each. This file is part of the first load, so it holds loaders only. */
export const loadAutoCard = () => import('./auto/auto-card.tsx')
export const loadOrders = async () => (await loaders()).orders()
export const loadWithdrawals = async () => (await loaders()).withdrawals()
export const loadPapers = async () => (await loaders()).papers()
export const loadNotice = async () => (await loaders()).notice()
export const loadPayResult = () => import('./pay/pay-result.tsx')
export const loadPendingStrip = () => import('./pending-strip.tsx')
export const loadRechargeDialog = () => import('./pay/recharge-dialog.tsx')
export const loadRechargeRecord = () => import('./recharge-record.tsx')
export const loadWithdrawDialog = () => import('./withdraw/withdraw-dialog.tsx')
