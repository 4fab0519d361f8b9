import { createApi } from '#platform/web/calls/api.ts'
import { riskContract } from '../contract.ts'

export const riskApi = createApi(riskContract)
