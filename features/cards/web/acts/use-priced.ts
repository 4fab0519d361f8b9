import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { toast } from '#ui/layers/toast.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards } from '../use-cards.ts'

const prices = {
  unfreeze: cardsApi.cardUnfreeze,
  outstanding: cardsApi.cardOutstanding,
  change: cardsApi.cardChange,
  renewal: cardsApi.cardRenewal,
} as const

/** Orders with a price set by us (types 12 to 15): fetches the price and opens the payment dialog. */
export function usePricedOrder(cardId: string): { readonly busy: boolean; readonly pay: (what: keyof typeof prices) => Promise<void> } {
  const t = useTexts(cardTexts)
  const [busy, setBusy] = useState(false)
  const pay = async (what: keyof typeof prices) => {
    setBusy(true)
    try {
      const { orderType, amount } = await prices[what]({ cardId })
      openDialog('recharge', { ask: { orderType, amount, cardId } })
    } catch (error) {
      toast.warning(isApiError(error) ? error.message : t('notDone'))
      refreshCards()
    } finally {
      setBusy(false)
    }
  }
  return { busy, pay }
}
