import { createApi } from '#platform/web/calls/api.ts'
import { servicesContract } from '#features/services/contract.ts'

/** The one call that the hub and the landings make where the server has not drawn them. */
export const catalogueApi = createApi({ serviceCatalogue: servicesContract.serviceCatalogue })
