import { useTexts } from '#platform/web/i18n.ts'
import { orderTitleKey, titleTexts } from '../texts-titles.ts'

/** Name of an order type, in the language of the page. */
export function useOrderTitle(): (orderType: number) => string {
  const t = useTexts(titleTexts)
  return (orderType) => t(orderTitleKey(orderType))
}
