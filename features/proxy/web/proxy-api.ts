import { createApi } from '#platform/web/calls/api.ts'
import { proxyAllErrors, proxyContract } from '../contract.ts'

export const proxyApi = createApi(proxyContract, { alone: true, errors: proxyAllErrors })
