import { createApi } from '#platform/web/calls/api.ts'
import { accountContract, accountErrors } from '../contract.ts'
import { accountTexts } from '../texts.ts'

export const userAccountApi = createApi(accountContract, { errors: accountErrors, texts: accountTexts })
