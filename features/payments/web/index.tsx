import type {} from '#platform/web/state/dialogs.ts'

declare module '#platform/web/state/dialogs.ts' {
  interface DialogProps {
    /** Takes balance out; anonymous people have none. */
    withdraw: {}
  }
}

/** What the shell draws; each is a chunk of its own. This file is part of the first load: loaders only. */
export const loadAutoCard = () => import('./auto/auto-card.tsx')
export const loadOrders = () => import('./orders/index.tsx')
export const loadWithdrawals = () => import('./withdraw/index.tsx')
export const loadPapers = () => import('./papers/papers-page.tsx')
export const loadNotice = () => import('./notice/index.tsx')
export const loadPayResult = () => import('./pay/pay-result.tsx')
export const loadPendingStrip = () => import('./pending-strip.tsx')
export const loadRechargeDialog = () => import('./pay/recharge-dialog.tsx')
export const loadRechargeRecord = () => import('./recharge-record.tsx')
export const loadWithdrawDialog = () => import('./withdraw/withdraw-dialog.tsx')
