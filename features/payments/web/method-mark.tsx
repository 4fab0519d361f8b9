import { useTexts } from '#platform/web/i18n.ts'
import { paymentTexts } from '../texts.ts'
import { channelMethodKey } from './pay/method/last-method.ts'
import type { ChosenMethod } from './pay/pay-machine.ts'
import { useChannels } from './pay/use-offer.ts'
import { methodTextKey } from '../contract-methods.ts'

/** The method's name as reported by its channel; our own name while the list is loading. */
export function useMethodName(method: ChosenMethod): string {
  const t = useTexts(paymentTexts)
  return useChannels(true).data?.find((row) => channelMethodKey(row) === channelMethodKey(method))?.name ?? t(methodTextKey(method.transactionType))
}

/** Picture of the method, if the list has one. */
export function MethodIcon({ method, size = 20 }: { readonly method: ChosenMethod; readonly size?: number }) {
  const img = useChannels(true).data?.find((row) => channelMethodKey(row) === channelMethodKey(method))?.img
  return img ? <img src={img} alt="" width={size} height={size} className="inline-block shrink-0 align-[-4px]" /> : null
}
