import { ChartNoAxesColumn, LayoutGrid, ReceiptText, Tags } from 'lucide-react'

/** The console's tabs live in the URL: /api?tab=view|rechargeRecord|billingDetails|pricing. */
export const apiTabs = [
  { tab: 'view', text: 'overview', Icon: LayoutGrid, visitors: false },
  { tab: 'rechargeRecord', text: 'records', Icon: ReceiptText, visitors: false },
  { tab: 'billingDetails', text: 'usage', Icon: ChartNoAxesColumn, visitors: false },
  { tab: 'pricing', text: 'prices', Icon: Tags, visitors: true },
] as const
