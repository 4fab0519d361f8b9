import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { gatewayDeskContract } from '#features/gateway/contract-desk.console.ts'
import { createConsoleApi } from '../kit/api.ts'
import { parseBeijingField } from '../kit/beijing.ts'

export const modelsApi = createConsoleApi(gatewayDeskContract)

/** New prices by model and class, as typed. */
export type DraftPrices = Readonly<Record<string, Readonly<Record<string, string>>>>
const PRICE = /^\d{1,6}(\.\d{1,9})?$/
export const isPrice = (text: string) => PRICE.test(text)

const DAY_MS = 86_400_000
const padTwo = (n: number) => String(n).padStart(2, '0')

/** Next Monday, midnight in Beijing, as the value of a datetime-local input. */
export function nextMondayField(now = Date.now()): string {
  const beijing = new Date(now + 8 * 3_600_000)
  const days = (8 - beijing.getUTCDay()) % 7 || 7
  const day = new Date(beijing.getTime() + days * DAY_MS)
  return `${day.getUTCFullYear()}-${padTwo(day.getUTCMonth() + 1)}-${padTwo(day.getUTCDate())}T00:00`
}

/** The operator's price draft, simulated on the server after every change; nothing is computed here. */
export function usePriceDraft() {
  const [draft, setDraft] = useState<DraftPrices>({})
  const [at, setAt] = useState(nextMondayField)
  const from = parseBeijingField(at)
  const changes = useMemo(
    () =>
      Object.entries(draft).flatMap(([model, prices]) => {
        const good = Object.fromEntries(Object.entries(prices).filter(([, price]) => isPrice(price)))
        return Object.keys(good).length ? [{ model, prices: good }] : []
      }),
    [draft],
  )
  const wanted = useDeferredValue(changes)
  const tried = useQuery({
    queryKey: ['prices', 'try', from, JSON.stringify(wanted)],
    queryFn: ({ signal }) => modelsApi.tryPrices({ from: from!, changes: wanted }, { signal }),
    enabled: wanted.length > 0 && from !== undefined,
    placeholderData: (before) => before,
  })
  return {
    ...{ draft, changes, at, from, setAt, tried: changes.length ? tried.data : undefined, isTrying: tried.isFetching },
    count: changes.reduce((all, { prices }) => all + Object.keys(prices).length, 0),
    set: (model: string, name: string, price: string | undefined) =>
      setDraft((old) => {
        const { [name]: _, ...rest } = old[model] ?? {}
        return { ...old, [model]: price === undefined ? rest : { ...rest, [name]: price } }
      }),
    clear: () => setDraft({}),
  }
}
export type PriceDraft = ReturnType<typeof usePriceDraft>
