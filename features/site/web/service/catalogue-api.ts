import { createApi } from '#platform/web/calls/api.ts'
import { cardOpeningContract } from '#features/cards/contract-opening.ts'
import { servicesContract } from '#features/services/contract.ts'

/** The calls that the hub and the landings make where the server has not drawn them. */
export const catalogueApi = createApi({ serviceCatalogue: servicesContract.serviceCatalogue, cardAmount: cardOpeningContract.cardAmount })
