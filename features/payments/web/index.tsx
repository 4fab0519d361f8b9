/** What the shell draws: the dialog, the page where channels send people back to, the tab, and the strip above pages. */
export { PayResultPage } from './pay-result.tsx'
export { PendingOrderStrip } from './pending-strip.tsx'
export { RechargeDialog } from './recharge-dialog.tsx'
export { RechargeRecord } from './recharge-record.tsx'
