import { createApi } from '#platform/web/calls/api.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { flexContract } from '../contract.ts'
import { flexErrors } from '../errors.ts'

// Errors show the server's texts, which name the conflicting package.
export const flexApi = createApi(flexContract, { errors: { ...serviceErrors, ...flexErrors } })
