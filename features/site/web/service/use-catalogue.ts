import type { ReplyOf } from '#platform/shared/contract.ts'
import { usePageData } from '#platform/web/page-data.tsx'
import type { cardOpeningContract } from '#features/cards/contract-opening.ts'
import type { CatalogueRow, servicesContract } from '#features/services/contract.ts'
import type { SoldService } from '../services.ts'

const loadCatalogue = (signal?: AbortSignal) => import('./catalogue-api.ts').then(({ catalogueApi }) => catalogueApi.serviceCatalogue({}, { signal }))

/** Services on sale: prices, measured times, pauses. */
export const useServiceCatalogue = () => usePageData<ReplyOf<(typeof servicesContract)['serviceCatalogue']>>('/v1/service/catalogue', loadCatalogue)

const loadCard = (signal?: AbortSignal) => import('./catalogue-api.ts').then(({ catalogueApi }) => catalogueApi.cardAmount({}, { signal }))

/** Price of a first card. Cards are not a service of the kit and have their own price. */
export const useCardPrice = (): string | undefined =>
  usePageData<ReplyOf<(typeof cardOpeningContract)['cardAmount']>>('/common/cardAmount', loadCard).data?.openAccount

export interface ServiceStatus {
  readonly row?: CatalogueRow | undefined
  /** In dollars; undefined if unknown. */
  readonly price?: string | undefined
  /** Undefined until the catalogue is loaded. */
  readonly isOpen?: boolean | undefined
  readonly to?: string | undefined
}

/** Status of a service; one that the catalogue does not list is not available yet. */
export function resolveServiceStatus({ kit, priced, to }: SoldService, rows: readonly CatalogueRow[] | undefined): ServiceStatus {
  if (kit === undefined) return { isOpen: true, to }
  const row = rows?.find(({ name }) => name === kit)
  const price = (priced === undefined ? row : rows?.find(({ name }) => name === priced))?.from
  return { row, price: price === '0' || row?.isOffered === false ? undefined : price, isOpen: rows && row !== undefined, to: row?.path }
}
