import { useTexts } from '#platform/web/i18n.ts'
import { paymentTexts } from '../texts.ts'
import { methodKey } from './pay/method/last-method.ts'
import type { Method } from './pay/pay-machine.ts'
import { useChannels } from './pay/use-offer.ts'
import { keyOf } from '#platform/shared/texts.ts'
import { PAYMENTS_METHOD_TEXT } from '../labels/state-texts.ts'

/** The method's name as its channel says it; our own word while the list is on its way. */
export function useMethodName(method: Method): string {
  const t = useTexts(paymentTexts)
  return useChannels(true).data?.find((row) => methodKey(row) === methodKey(method))?.name ?? t(keyOf(PAYMENTS_METHOD_TEXT, String(method.transactionType)))
}

/** Its picture, where the list has one. */
export function MethodIcon({ method, size = 20 }: { readonly method: Method; readonly size?: number }) {
  const img = useChannels(true).data?.find((row) => methodKey(row) === methodKey(method))?.img
  return img ? <img src={img} alt="" width={size} height={size} className="inline-block shrink-0 align-[-4px]" /> : null
}
