import type { Contract } from '#platform/shared/contract.ts'
import { createApi } from '#platform/web/calls/api.ts'
import type { Api } from '#platform/web/calls/api.ts'
import { backofficeErrors } from '../../errors.ts'
import { errorTexts } from './error-texts.ts'

/** API calls to the operators' origin; error texts are in the operator's language. */
export function createConsoleApi<C extends Contract>(contract: C): Api<C> {
  return createApi(contract, { errors: backofficeErrors, texts: errorTexts })
}
