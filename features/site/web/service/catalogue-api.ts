import { createApi } from '#platform/web/calls/api.ts'
import { cardOpeningContract } from '#features/cards/contract-opening.ts'
import { servicesContract } from '#features/services/contract.ts'

/** Calls of the hub and the landing pages when the server has not prerendered their data. */
export const catalogueApi = createApi({ serviceCatalogue: servicesContract.serviceCatalogue, cardAmount: cardOpeningContract.cardAmount })
