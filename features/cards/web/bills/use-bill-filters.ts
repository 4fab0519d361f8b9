import { useQueryParam } from '#platform/web/state/url-state.ts'
import { BILL_KINDS, BILL_STATES } from '../../words.ts'
import type { BillQuery } from './use-bills.ts'

export const ANY_FILTER = 'all'
const DAY = /^20\d{2}-\d{2}-\d{2}$/
const CARD = /^card_[0-9a-z]{16}$/

/** The filters in the URL; an invalid value counts as no filter. */
export function useBillFilters() {
  const [card, setCard] = useQueryParam<string>('card', ANY_FILTER)
  const [kind, setKind] = useQueryParam<string>('kind', ANY_FILTER)
  const [state, setState] = useQueryParam<string>('state', ANY_FILTER)
  const [from, setFrom] = useQueryParam<string>('from', '')
  const [to, setTo] = useQueryParam<string>('to', '')
  const [merchant, setMerchant] = useQueryParam<string>('q', '')
  const isBackwards = DAY.test(from) && DAY.test(to) && from > to
  const wish: BillQuery = {
    ...(CARD.test(card) ? { cardId: card } : {}),
    ...(isOneOf(BILL_KINDS, kind) ? { kind } : {}),
    ...(isOneOf(BILL_STATES, state) ? { state } : {}),
    ...(DAY.test(from) && !isBackwards ? { from } : {}),
    ...(DAY.test(to) && !isBackwards ? { to } : {}),
    ...(merchant.trim() ? { merchant: merchant.trim().slice(0, 60) } : {}),
  }
  return { card, setCard, kind, setKind, state, setState, from, setFrom, to, setTo, merchant, setMerchant, isBackwards, wish }
}
export type BillFilterState = ReturnType<typeof useBillFilters>

const isOneOf = <V extends string>(values: readonly V[], text: string): text is V => (values as readonly string[]).includes(text)
