/** The pages of withdrawals, one chunk; the dialog is a separate one. */
export { WithdrawalPage } from './withdrawal-page.tsx'
export { WithdrawalsPage } from './withdrawals-page.tsx'
