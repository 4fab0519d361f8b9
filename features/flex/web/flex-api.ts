import { createApi } from '#platform/web/calls/api.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { flexContract } from '../contract.ts'
import { flexErrors } from '../errors.ts'

// The server's own words are shown: they name the package that is in the way.
export const flexApi = createApi(flexContract, { errors: { ...serviceErrors, ...flexErrors } })
