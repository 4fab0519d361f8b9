import type {} from '#platform/web/state/dialogs.ts'

declare module '#platform/web/state/dialogs.ts' {
  interface DialogPropsByName {
    /** Withdraws balance; unavailable to anonymous users. */
    withdraw: {}
  }
}

const loaders = () => import('./loaders.ts')

/** Loaders of the shell's components, one chunk each. This file is part of the first load, so it holds only loaders. */
export const loadAutoCard = () => import('./auto/auto-card.tsx')
export const loadOrders = async () => (await loaders()).loadOrderPages()
export const loadWithdrawals = async () => (await loaders()).loadWithdrawalPages()
export const loadPapers = async () => (await loaders()).loadPapersPage()
export const loadNotice = async () => (await loaders()).loadNoticePages()
export const loadPayResult = () => import('./pay/pay-result.tsx')
export const loadPendingStrip = () => import('./pending-strip.tsx')
export const loadRechargeDialog = () => import('./pay/recharge-dialog.tsx')
export const loadRechargeRecord = () => import('./recharge-record.tsx')
export const loadWithdrawDialog = () => import('./withdraw/withdraw-dialog.tsx')
