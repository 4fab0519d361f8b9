import { createApi } from '#platform/web/api.ts'
import { riskContract } from '../contract.ts'

export const riskApi = createApi(riskContract)
