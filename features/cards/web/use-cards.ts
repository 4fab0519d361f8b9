import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { queryClient } from '#platform/web/calls/query.tsx'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { useQueryParam } from '#platform/web/state/url-state.ts'
import type { CardRow } from '../contract.ts'
import { cardsApi } from './cards-api.ts'

const MOVING_MS = 4_000
const WATCH_MS = 90_000
const CODES_MS = 5_000
const NAME = 'cardId'

/**
 * Polls the cards until money on its way to or off a card has arrived, and after the page is opened: a user who paid on a phone returns
 * from the channel before the money arrives.
 */
const useWatch = create<{ readonly until: number }>(() => ({ until: Date.now() + WATCH_MS }))

const isMoving = ({ state }: CardRow) => state === 'requested' || state === 'opening' || state === 'closing'

export function useCards() {
  const until = useWatch((state) => state.until)
  return useQuery({
    queryKey: ['cards', 'list'],
    queryFn: async ({ signal }) => (await cardsApi.cardList({}, { signal })).rowList,
    refetchInterval: ({ state: { data } }) => (Date.now() < until || data?.some(isMoving) ? MOVING_MS : false),
  })
}

/** Refetches all card queries after a change, and the balance too if money moved. */
export function refreshCards({ money = false }: { readonly money?: boolean } = {}): void {
  if (money) {
    useWatch.setState({ until: Date.now() + WATCH_MS })
    void queryClient.invalidateQueries({ queryKey: ['wallet'] })
  }
  void queryClient.invalidateQueries({ queryKey: ['cards'] })
}

/** Shows a card from a response at once, before the refetch. */
export function updateCachedCard(card: CardRow): void {
  queryClient.setQueryData<CardRow[]>(['cards', 'list'], (old) => old?.map((one) => (one.id === card.id ? card : one)))
}

/** The card in use: from the URL, else the last choice on this device, else the server's first. */
export function useChosenCard(cards: readonly CardRow[] | undefined): readonly [CardRow | undefined, (id: string) => void] {
  const [asked, setAsked] = useQueryParam<string>('card', '')
  const find = (id: string | undefined) => cards?.find((card) => card.id === id)
  const choose = (id: string) => {
    setAsked(id)
    rememberCard(id)
  }
  return [find(asked) ?? find(readStored(NAME)) ?? cards?.[0], choose]
}

/** Stores the card in use here and on the server, which offers it first elsewhere. */
export function rememberCard(id: string): void {
  storeValue(NAME, id)
  void cardsApi.chooseCard({ id }).catch(() => undefined)
}

export function useCardAmount() {
  return useQuery({ queryKey: ['cards', 'amount'], queryFn: ({ signal }) => cardsApi.cardAmount({}, { signal }), staleTime: 60_000 })
}

export function useCardOpening(enabled: boolean) {
  return useQuery({ queryKey: ['cards', 'opening'], queryFn: ({ signal }) => cardsApi.opening({}, { signal }), enabled })
}

/** Codes requested by a merchant's bank; polled only while the page is visible. */
export function useChallenges(enabled: boolean) {
  return useQuery({
    queryKey: ['cards', 'challenges'],
    queryFn: async ({ signal }) => (await cardsApi.challenges({}, { signal, alone: true })).rowList,
    enabled,
    refetchInterval: CODES_MS,
    gcTime: 0,
  })
}

export function useRechargeBounds(id: string, channelType?: number) {
  return useQuery({
    queryKey: ['cards', 'bounds', id, channelType ?? 0],
    queryFn: ({ signal }) => cardsApi.rechargeBounds({ id, ...(channelType === undefined ? {} : { channelType }) }, { signal }),
    staleTime: 30_000,
  })
}

/** Progress of this card's replacement; polled while it is in progress. */
export function useCardChange(cardId: string, enabled: boolean) {
  return useQuery({
    queryKey: ['cards', 'change', cardId],
    queryFn: ({ signal }) => cardsApi.changeCardStatus({ cardId }, { signal }),
    enabled,
    refetchInterval: ({ state: { data } }) => (data?.status === 'changing' ? MOVING_MS : false),
  })
}
