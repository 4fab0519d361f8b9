import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { cardOpeningContract } from '#features/cards/contract-opening.ts'
import type { CatalogueRow, servicesContract } from '#features/services/contract.ts'
import type { Service } from '../services.ts'

const load = (signal?: AbortSignal) => import('./catalogue-api.ts').then(({ catalogueApi }) => catalogueApi.serviceCatalogue({}, { signal }))

/** What is sold now: prices, measured times, what is paused. */
export const useCatalogue = () => usePageData<ReplyOf<(typeof servicesContract)['serviceCatalogue']>>('/v1/service/catalogue', load)

const loadCard = (signal?: AbortSignal) => import('./catalogue-api.ts').then(({ catalogueApi }) => catalogueApi.cardAmount({}, { signal }))

/** What a first card costs: cards are no service of the kit and have their own price. */
export const useCardPrice = (): string | undefined =>
  usePageData<ReplyOf<(typeof cardOpeningContract)['cardAmount']>>('/common/cardAmount', loadCard).data?.openAccount

export interface Standing {
  readonly row?: CatalogueRow | undefined
  /** Dollars; undefined where none is told. */
  readonly price?: string | undefined
  /** Undefined while nobody knows. */
  readonly isOpen?: boolean | undefined
  readonly to?: string | undefined
}

/** A service as the catalogue has it: what it does not name is still to come. */
export function standingOf({ kit, priced, to }: Service, rows: readonly CatalogueRow[] | undefined): Standing {
  if (kit === undefined) return { isOpen: true, to }
  const row = rows?.find(({ name }) => name === kit)
  const price = (priced === undefined ? row : rows?.find(({ name }) => name === priced))?.from
  return { row, price: price === '0' || row?.isOffered === false ? undefined : price, isOpen: rows && row !== undefined, to: row?.path }
}
