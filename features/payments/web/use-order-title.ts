import { useTexts } from '#platform/web/i18n.ts'
import { toOrderTitleKey, titleTexts } from '../texts-titles.ts'

/** Name of an order type, in the language of the page. */
export function usePaymentOrderTitle(): (orderType: number) => string {
  const t = useTexts(titleTexts)
  return (orderType) => t(toOrderTitleKey(orderType))
}
