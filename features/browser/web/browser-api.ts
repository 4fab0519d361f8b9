import { createApi } from '#platform/web/calls/api.ts'
import { browserAllErrors, browserContract } from '../contract.ts'

export const browserApi = createApi(browserContract, { alone: true, errors: browserAllErrors })
